# Searching, and what stands in exports.

search-nothing = Nothing was found.
search-more = More: the same command with --before { $before }
search-empty = There is no word to look for. Name one at least.
search-too-long = What is looked for has more than { $limit } bytes. Name fewer words.
search-too-many-words = More than { $limit } words cannot be looked for at once. Name fewer.
search-short-beginning = Before * there have to be at least { $limit } letters.

export-untitled = Recording
export-taken = Taken in
export-length = Length
export-language = Language
export-model = Model
export-summary = Summary
export-topics = Topics
export-text = Text
export-silence = No speech was found.
export-terminal = A { $format } document cannot be shown on a terminal. Send it to a file: add > name.{ $format }
