# What stands on the pages of the panel. Why something waits or failed stands with the failures.

## Around every page
nav-inbox = Inbox
nav-recordings = Recordings
nav-downloads = Downloads
panel-skip = Skip to the content
panel-nav = Sections
panel-signed-in = Signed in as
panel-logout = Sign out
panel-close = Close
panel-cancel = Cancel
panel-save = Save
panel-dismiss = Dismiss
panel-toasts = Messages
panel-offline = Verst cannot be reached. What is shown may be out of date.
panel-failed = That did not work. Try again.
look-language = Language
look-theme = Colours
look-auto = Automatic
look-light = Light
look-dark = Dark
language-en = English
language-ru = Русский
error-home = To the inbox

## Keys
keys-title = Keyboard
keys-on = Single keys do these things
keys-help = Show this list
keys-search = Search
keys-go = Go to the inbox, recordings, downloads
keys-play = Play or pause
keys-seek = Five seconds back or on
keys-segment = The sentence before or after
keys-speed = Slower or faster
keys-follow = Keep the spoken sentence in view
keys-edit = Edit what is written about a recording
keys-close = Close a dialog

## Signing in
login-title = Sign in
login-name = Name
login-password = Password
login-go = Sign in
login-first = Nobody has an account yet?
setup-have = There is an account already: sign in
setup-title = Welcome to Verst
setup-lead = Make the first account. It sees everything and can make others.
setup-token = Setup token
setup-token-hint = Verst printed it when it started; “docker logs” or “journalctl” shows it again.
setup-name = Your name
setup-name-hint = You sign in with it, and it stands at what you hand in. It cannot be changed later.
setup-password-hint = At least 10 characters. A few unrelated words are easy to remember and hard to guess.
setup-go = Make the account

## Units
unit-point = .
unit-bytes = { $number } B
unit-kib = { $number } KiB
unit-mib = { $number } MiB
unit-gib = { $number } GiB
unit-tib = { $number } TiB

## The inbox
drop-title = Hand in anything
drop-lead = Drop files on this page, choose them or paste a link. Audio and video become text; torrents become films and series in the library.
drop-link = Magnet links, or addresses of recordings or torrent files
drop-link-hint = Paste a magnet link or an address
drop-take = Take in
drop-choose = Choose files
drop-here = Let go to hand it in
uploads-title = Being handed in
uploads-clear = Clear finished
upload-recording = recording
upload-torrent = torrent
upload-magnet = magnet link
upload-address = address
upload-waits = waits for its turn
upload-sends = being sent
upload-stores = being stored
upload-taken = taken in
upload-known = was there already
upload-cancelled = cancelled; nothing was kept
upload-broken = The connection broke off. Nothing was kept.
upload-nothing = There is no magnet link and no address in this text.
upload-cancel = Cancel
upload-again = Try again
upload-open = Open
motion-asks = Needs you
motion-moving = On the road
motion-finished = Just finished
motion-all-asks = All that are stopped
motion-all-moving = All recordings on the road
motion-all-finished = All that are done
motion-empty = Nothing is on the road
motion-empty-lead = What you hand in appears here and moves on by itself.
road-label = The road
row-recording = recording
row-download = download
row-number = number { $number }
row-pick = Select
row-stop = Stop
row-lift = Go on
row-retry = Retry
row-submit-again = Submit again
row-keep-waiting = Keep waiting
row-choose = Choose

## The list of recordings
list-search = Search
list-search-hint = Search in what was said and written
list-filter-state = State
list-all = All
list-moving = On the road
list-stopped = Stopped
list-done = Done
list-older = Older ones
list-empty = No recordings yet
list-empty-lead = Hand one in at the inbox
downloads-empty = No downloads yet
downloads-empty-lead = Hand one in at the inbox: a magnet link, an address or a .torrent file
list-nothing = Nothing found
list-nothing-lead = Every word has to be there, in any form; word* means any ending.
list-shown = { $count ->
        [one] One recording is shown
       *[other] { $count } recordings are shown
    }
bulk-label = Do this with all that are selected
bulk-picked = Selected:
bulk-delete = Delete …
bulk-delete-title = Delete what is selected?
bulk-delete-lead = The audio, the texts and everything that was written go for good. This cannot be undone.
bulk-delete-go = Delete for good
bulk-stopped = { $count ->
        [one] One was stopped.
       *[other] { $count } were stopped.
    }
bulk-lifted = { $count ->
        [one] One goes on.
       *[other] { $count } go on.
    }
bulk-deleted = { $count ->
        [one] One was deleted.
       *[other] { $count } were deleted.
    }
bulk-not = { $count ->
        [one] One could not be: where it stands, that is not possible.
       *[other] { $count } could not be: where they stand, that is not possible.
    }

## A recording
sound-title = Sound
sound-mute = This browser cannot play this kind of file.
sound-download = Download it
sound-follow = Follow the text
sound-speed = Speed
sound-gone = The audio is no longer kept.
facts-title = About it
exports-title = Save the text as
recording-file = File
recording-owner = Owner
text-hear = Hear from
text-silent = No speech was found in it; the text is empty.
edit-open = Edit
edit-title = What is written about it
edit-name = Title
edit-summary = Summary
edit-topics = Topics
edit-topics-hint = Separated by commas
edit-speaker = Name of speaker { $label }
again-open = Transcribe again …
again-title = Transcribe again
again-lead = The text that is there stays until the new one takes its place. What people wrote stays.
again-language-hint = Two letters, as in en or ru. Left empty, it is detected.
again-model-usual = As in the settings
again-cost = The recogniser charges for this. I agree.
again-go = Transcribe
delete-open = Delete …
delete-title = Delete this recording?
delete-lead = The audio, the text and everything that was written go for good. This cannot be undone.
delete-go = Delete for good

## Putting a text right, and sharing it
text-reword = Edit the sentence at
text-reword-title = Put right what was said
text-reword-label = What was really said
text-restore = As it was heard
text-heard = Heard:
text-misfits = These corrections do not fit the new text. They are kept until they do, or until you withdraw them.
text-withdraw = Withdraw
share-open = Share …
share-title = Share this recording
share-lead = Whoever has the link can read the text and hear the sound, without an account, and change nothing.
share-days = Days
share-go = Make a link
share-made = The link
share-once = It is shown now and never again.
share-until = Open until
share-revoke = Revoke
share-nameless = A recording
