## What was sent and cannot be downloaded
failure-not-a-torrent = This is neither a magnet link nor a torrent file, so there is nothing to download. Send the magnet link as text, the .torrent file itself, or an address that leads to one of them; many sites give the file only to those who are logged in.
failure-torrent-too-large = The torrent file is larger than { $limit_bytes } bytes, so it was not read. Send the magnet link of the same torrent instead.
failure-too-many-files = This torrent lists more than { $limit } files, so it was not taken. Look for the same thing as several torrents.
failure-too-many-magnets = There are more than { $limit } magnet links in this text, so none of them was taken. Send them in several messages.
failure-text-too-large = The text is longer than { $limit_bytes } bytes, so it was not looked through. Send only the links.
failure-url-private = This address leads into a private network, and from there nothing is fetched. Send the magnet link or the torrent file itself, or ask the owner to allow such addresses in the settings.
failure-url-wrong = This is not an address that can be fetched. It has to begin with http:// or https://, or be a magnet link.
failure-url-unreachable = The server behind this address cannot be reached, or it broke off. See whether the address opens in a browser, and try again later.
failure-url-refused = The server behind this address did not give the file and answered { $status }. If the site asks for a login, fetch the torrent file in a browser and send the file.
failure-url-redirects = This address leads on and on to others and never to a file. Open it in a browser, and send the magnet link or the torrent file that you find.
failure-url-slow = The server behind this address took too long. Try again later, or send the torrent file itself.
