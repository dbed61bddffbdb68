## The webhook
webhook-none = There is no webhook: the setting “webhook_url” is empty.
webhook-delivered = Delivered: the other side answered with { $status }.
webhook-refused = Not delivered: the other side answered with { $status }. Check the address and what the program there expects; any answer from 200 to 299 counts as delivered.
webhook-refused-saying = Not delivered: the other side answered with { $status } and said: { $said }
webhook-not-allowed = The webhook’s address leads into your own network or to this machine, and Verst sends nothing there unless allowed. If that is what you want, set allow_private_addresses = true.
webhook-timed-out = The other side of the webhook did not answer in time. Check the program there, or raise webhook_timeout_s.
webhook-unreachable = The webhook’s address cannot be reached: there is no such name, nobody answers there, or its certificate is not trusted. Check the setting “webhook_url”.

doctor-folder = Watched folder
doctor-webhook = Webhook
doctor-webhook-leads = leads to { $addresses }; “verst webhook test” sends a test

## The watched folder
folder-report-refused =
    Verst did not take in this file.

    { $reason }

    Put a better file in its place, or remove it. This note goes by itself once a file of this name is taken in.
folder-report-unreadable =
    Verst may not read this file, so it was not taken in.

    Give the account that Verst runs under the right to read it. It is tried again by itself, and then this note goes.
folder-report-stopped =
    Verst took in this file as recording { $id }, and its transcription was stopped.

    { $reason }

    “verst show { $id }” tells more, “verst lift { $id }” lifts the stop. This note goes by itself once the text is there.
folder-gone = The watched folder { $folder } is not there or cannot be read. It is looked for again and again; check the path, the permissions, and whether it is mounted.
folder-back = The watched folder { $folder } is there again.
folder-unmovable = Files in { $folder } cannot be moved to “taken”, so they stay where they are; they are transcribed all the same and not taken in twice. Give Verst the right to write there, or set watch_after = "keep".
folder-waiting = Files in { $folder } have to wait. { $reason }
folder-inside = The watched folder { $folder } and Verst’s own files in { $own } lie in one another, so nothing was started: Verst would take in its own files. Name another folder in the setting “watch”.
folder-unwritable = Verst cannot write into { $folder }, so neither texts nor notes appear there. Give Verst the right to write there; the texts themselves are kept in Verst.
