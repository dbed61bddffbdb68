# Поиск и то, что стоит в выгрузках.

search-nothing = Ничего не нашлось.
search-more = Дальше: та же команда с --before { $before }
search-empty = Искать нечего: назовите хотя бы одно слово.
search-too-long = Запрос длиннее { $limit } байт. Оставьте меньше слов.
search-too-many-words = Больше { $limit } слов сразу искать нельзя. Оставьте меньше.
search-short-beginning = Перед * нужно не меньше { $limit } букв.

export-untitled = Запись
export-taken = Принята
export-length = Длина
export-language = Язык
export-model = Модель
export-summary = Краткое содержание
export-topics = Темы
export-text = Текст
export-silence = Речи не найдено.
export-terminal = Документ { $format } в терминале не показать. Направьте его в файл: допишите > имя.{ $format }
