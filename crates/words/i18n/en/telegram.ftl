# What the bot in Telegram says. Names and texts are put in as they are and escaped afterwards.

## Commands, as Telegram lists them
telegram-command-list = What came last, and how it stands
telegram-command-find = Find words in your recordings
telegram-command-text = The whole text of a recording
telegram-command-link = Link this chat to your account
telegram-command-unlink = Take that link off
telegram-command-help = What can be sent

## Answers
telegram-start = Send a voice message, a recording or a video, and its text comes back here. Send a magnet link or a .torrent file, and it is downloaded into the library. /help says more.
telegram-help =
    Send or forward:
    • voice messages, audio, video, video notes, or any file with sound: the text comes back here;
    • magnet links, anywhere in a message, as many as you like; .torrent files; an address of either.

    /list: what came last, and how it stands
    /find WORDS: find words in your recordings
    /text NUMBER: the whole text of a recording
    /link CODE: link this chat to your account, with a code from whoever runs Verst
    /unlink: take that link off
telegram-stranger = This bot belongs to somebody and does not know you, so nothing was taken. If it should, ask its owner to put the number { $id } under “telegram_allow”.
telegram-other = This kind of message has nothing that can be transcribed or downloaded. Send a voice message, a file with sound, a magnet link or a .torrent file.
telegram-nothing-found = There is no magnet link and no address in this text, so there is nothing to do. Send a magnet link, a .torrent file, or a recording. /help says more.
telegram-downloads-off = Nothing can be downloaded here: the owner has not set a torrent client.
telegram-broken = { $count ->
        [one] { $count } more link looked like a magnet and is none. Copy it once more, whole.
       *[other] { $count } more links looked like magnets and are none. Copy them once more, whole.
    }
telegram-too-large = The file is larger than { $limit_mb } MB, which is the most that can be fetched through Telegram here. Nothing was taken. Send it in parts, or upload it in the panel.
telegram-too-large-web = The file is larger than { $limit_mb } MB, which is the most that can be fetched through Telegram here. Nothing was taken. Upload it in the panel: { $url }
telegram-not-fetched = Telegram does not hand this file out. Nothing was taken. Send it once more.
telegram-file-elsewhere = The file could not be read where Telegram's local server put it. Nothing was taken. The owner has to see to the setting “telegram_files”.
telegram-gave-up = A defect in Verst kept this message from being worked on, so it was given up. Send it once more; if it happens again, tell the owner.
telegram-list-empty = Nothing has come yet. Send a voice message or a magnet link to begin.
telegram-find-how = Say what to look for: /find one or more words. At the end of a word * stands for every ending.
telegram-find-unlinked = To search, link this chat to your account: ask whoever runs Verst for a code (verst telegram code ACCOUNT), and send /link CODE here. What was sent here before becomes yours with it.
telegram-find-alone = Others read along here. Search in a chat with the bot alone.
telegram-found-none = Nothing was found with all of these words.
telegram-found-how = /text NUMBER shows the whole text.
telegram-text-how = Say which recording: /text NUMBER. /list shows the numbers.
telegram-no-text-yet = There is no text yet. It comes by itself when it is ready.
telegram-gone = There is no such thing here, or it was deleted.
telegram-link-how = Ask whoever runs Verst for a code (verst telegram code ACCOUNT), and send it here within ten minutes: /link CODE
telegram-link-wrong = This code links nothing: it is wrong, was used, or is older than ten minutes. Ask whoever runs Verst for a new one: verst telegram code ACCOUNT.
telegram-linked = This chat is linked to the account “{ $owner }”. What is sent here belongs to it, and so does what was sent here before. /unlink takes the link off.
telegram-unlinked = The link is off. What was sent so far stays with the account; what is sent from now on belongs to nobody.
telegram-not-linked = This chat is not linked to any account.

## How a thing stands
telegram-unnamed-recording = Recording { $id }
telegram-unnamed-download = Download { $id }
telegram-stopped = Stopped at “{ $milestone }”
telegram-percent = { $milestone }, { $percent } %
telegram-placed = { $count ->
        [0] Nothing of it is in the library.
        [one] { $count } file is in the library.
       *[other] { $count } files are in the library.
    }
telegram-no-speech = No speech was found in the recording.
telegram-rest-in-file = The whole text is in the file below.
telegram-choice = Going on could cost money a second time, or be in vain. Choose.

## Buttons, and what is said when they were pressed
telegram-stop = Stop
telegram-lift = Go on
telegram-retry = Retry
telegram-again = Submit again (may cost money)
telegram-wait = Keep waiting
telegram-open = Open in the panel
telegram-candidate = { $kind ->
        [movie] Film
       *[series] Series
    }: { $title }
telegram-goes-on = It goes on.
telegram-was-stopped = Stopped.
telegram-chosen = Understood. It is laid out in the library next.
telegram-not-stopped = It is not stopped.
telegram-nothing-to-choose = There is nothing to choose any more.

## What keeps the bot from hearing anything
failure-telegram-unauthorised = Telegram does not know the bot by its token, so the bot hears nothing; everything else goes on. Was the token revoked? Get the current one from @BotFather, put it under “telegram_token” and start Verst again.
failure-telegram-conflict = Another program asks for this bot's messages, or a webhook is set, so the bot hears nothing; everything else goes on. End that program, or give Verst a bot of its own.
failure-telegram-unreachable = Telegram cannot be reached or is in trouble, so the bot hears nothing; everything else goes on, and the bot tries again by itself. Is the network there, and is “telegram_api_url” right?
failure-telegram-unexpected = Telegram's server answered with something that Verst does not understand, so the bot hears nothing; everything else goes on. Is “telegram_api_url” the address of a Bot API server?

## Doctor
doctor-telegram = Telegram
doctor-telegram-answers = the bot @{ $name } answers
cli-no-bot = The bot cannot be set up: { $cause }. Nothing was started.

## At the terminal
telegram-code-nameless = Say whose the chat's things are to be: the name of an account.
telegram-code-no-account = There is no account “{ $owner }”. “verst user list” shows which there are.
telegram-code-made = Send this to the bot within ten minutes, in the chat that is to belong to “{ $owner }”:
telegram-chats-none = No chat is linked to an account.
telegram-chat = chat
telegram-chat-owner = account
