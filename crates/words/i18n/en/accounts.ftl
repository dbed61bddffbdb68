# Accounts: what problems say, and the commands of “verst user”.

## Accounts
problem-session-needed = Nobody is signed in here, or the session has ended. Sign in.
problem-sign-in-for-this = A token is not enough for this. Sign in with a name and a password.
problem-sign-in-wrong = There is no account with this name and this password. Mind capitals and the keyboard’s language, and try again.
problem-account-disabled = This account is disabled, so nobody can sign in with it. Ask an administrator.
problem-password-wrong = The current password is another one, so nothing was changed.
problem-not-vouched = The request does not carry the token of this session, so nothing was done. Load the page anew and try again; programs send the token in the header X-CSRF-Token.
problem-no-such-account = There is no such account.
problem-no-such-session = There is no such session; it may have ended already.
problem-no-such-token = There is no such token that still opens anything.
problem-name-taken = There is an account of this name already. Nothing was made. Choose another name.
problem-last-admin = This is the last administrator who can sign in, so nothing was changed. Make another account an administrator first.
problem-name-wrong = A name needs one to { $limit } visible characters. Nothing was done.
problem-password-length = A password has from { $least } to { $limit } bytes; a letter of Latin script is one byte, one of Cyrillic two. Nothing was done.
problem-too-many-sign-ins = There were too many attempts to sign in. Wait { $seconds ->
        [one] a second
       *[other] { $seconds } seconds
    } and try again.

## Corrections and links
problem-segment-changed = This place of the text is not there, or reads differently by now, so nothing was changed. Look at the text as it is and change it again.
problem-no-such-correction = There is no such correction.
problem-no-such-share = There is no such link that still opens this recording.
problem-no-such-link = This link opens nothing: it is wrong, has run out or was revoked. Ask whoever sent it for another.
problem-too-many-shares = A hundred links lead to this recording already. Nothing was made. Revoke one that is no longer needed.

## verst user
user-type = {"Password: "}
user-type-again = {"The same once more: "}
user-passwords-differ = The two passwords differ. Nothing was done.
user-no-password = No password could be read. Nothing was done. Type it at a terminal, or give it as the first line of standard input.
user-made = The account “{ $name }” is made and can sign in.
user-password-set = “{ $name }” has another password. Browsers that were signed in have to sign in again.
user-role-set = “{ $name }” has this role now.
user-was-disabled = Nobody can sign in as “{ $name }” any more, and the tokens of this account open nothing. What belongs to it stays.
user-was-enabled = “{ $name }” can sign in again.
user-taken = There is an account “{ $name }” already. “verst user list” shows them.
user-last-admin = “{ $name }” is the last administrator who can sign in, so nothing was changed. Make another one first: verst user role NAME admin
user-unknown = There is no account “{ $name }”. “verst user list” shows them.
user-busy = The password could not be hashed. Nothing was done. Try again.
user-none = There are no accounts. Make the first one with: verst user add NAME --role admin
user-name = name
user-role = role
user-created = since
user-state = state
user-is-owner = owner
user-is-admin = administrator
user-is-enabled = can sign in
user-is-disabled = disabled
