## verst models list
models-head-name = имя
models-head-state = состояние
models-head-size = размер
models-head-memory = память
models-head-fits = хватит сейчас
models-head-languages = языки
models-head-errors = ошибки
models-head-licence = лицензия
models-used = используется
models-used-for = используется для: { $languages }
models-here = есть
models-begun = скачана не вся
models-absent = –
models-fits = да
models-too-large = нет
models-languages = { $count ->
        [one] { $count } язык
        [few] { $count } языка
       *[many] { $count } языков
    }
models-size = { $mb } МБ
models-note-estimates = Память — сколько нужно распознавателю с этой моделью; знак ~ означает оценку.
models-note-errors = Ошибки — опубликованная доля неверных слов (для голосов — времени), источники: { $sources }; сравнивать можно только цифры на одном и том же наборе.
models-note-hashes = Какой должна быть контрольная сумма у файлов { $names }, эта версия Verst не знает. «verst models pull» возьмёт её у сервера, сохранит рядом с файлом и дальше будет сверять с ней.

## Советы
models-first-try = { $model }: для первой пробы; модели побольше ошибаются намного реже.
models-better = { $language } есть { $title }: verst models pull { $name }, затем verst models use { $name } --for { $code }.
models-better-here = { $language } уже скачана { $title }: verst models use { $name } --for { $code }.
models-for-ru = Для русского
models-for-en = Для английского

## verst models pull
models-unknown = Модели «{ $name }» нет. Известные: { $known }.
models-bundled = Модель { $name } идёт вместе с Verst, скачивать нечего.
models-hash-unusable = Для --sha256 нужны 64 шестнадцатеричные цифры и ровно одна модель.
models-directory-unusable = Не удалось создать каталог для моделей { $path }: { $cause }. Проверьте права и диск.
models-here-already = Модель { $name } уже есть: { $path }
models-pulling = { $name }: скачивается, примерно { $size }.
models-pulled = Модель { $name } скачана и проверена, { $size }: { $path }
models-pulled-unknown = Модель { $name } скачана, { $size }, и совпадает с тем, что обещал сервер: { $path }. Её контрольная сумма, если захотите сверить: { $hash }
models-pull-busy = Модель { $name } уже скачивает другой процесс. Дождитесь его или остановите.
models-pull-address = Скачать { $name } не получится: в настройке «models_mirror» не адрес вроде https://huggingface.co.
models-pull-missing = На сервере нет { $name }. Проверьте настройку «models_mirror»; если она верна, файл перенесли, и куда — может знать более новая версия Verst.
models-pull-refused = Сервер не отдаёт { $name } ({ $cause }). Проверьте настройку «models_mirror» или скачайте файл браузером и положите в каталог моделей.
models-pull-broken = Модель { $name } скачалась не целиком: { $cause }. Полученное сохранено; чтобы продолжить, повторите ту же команду. Если сеть за прокси, задайте HTTPS_PROXY.
models-pull-redirected = Скачать { $name } не получается: сервер водит по кругу или отправляет на незащищённый адрес. Проверьте настройку «models_mirror».
models-pull-no-hash = Модель { $name } не скачана: ни эта версия Verst, ни сервер не знают её контрольной суммы. Если она известна вам, укажите её через --sha256.
models-pull-wrong-hash = { $name } — не то, что нужно: SHA-256 файла { $found }, а должна быть { $expected }. Ничего не сохранено. Попробуйте ещё раз или возьмите другой сервер.
models-pull-too-large = Файл { $name } на сервере больше допустимого ({ $limit } МБ). Он не используется. Проверьте настройку «models_mirror».
models-pull-no-room = На диске нет места для { $name }: нужно { $needed } МБ, свободно { $free } МБ. Освободите место и повторите команду.
models-pull-unwritable = Не удалось записать { $name }: { $cause }. Проверьте права и диск и повторите команду.

## verst models remove
models-remove-bundled = Модель { $name } идёт вместе с Verst, поэтому осталась на месте. Чтобы всё равно удалить её, добавьте --force.
models-remove-used = Модель { $name } используется, поэтому осталась на месте. Сначала выберите другую или добавьте --force.
models-remove-absent = Модели { $name } здесь нет, удалять нечего.
models-remove-failed = Не удалось удалить { $path }: { $cause }.
models-removed = Модель { $name } удалена.

## verst models use
models-use-absent = Модели { $name } ещё нет. Сначала скачайте её: verst models pull { $name }
models-use-by-itself = { $name } не превращает речь в текст. Эта модель используется сама, как только скачана.
models-use-wrong-language = Модель { $name } не знает языка { $language }.
models-use-variable = Переменная { $variable } важнее файла настроек, поэтому ничего не изменено. Задайте в ней «{ $value }» или уберите её.
models-use-unwritable = Не удалось записать файл настроек { $file }: { $cause }. Ничего не изменено.
models-use-done = Теперь выбрана модель { $name }, это записано в { $file }. Если Verst работает, перезапустите его.
models-use-done-for = Для записей на языке { $language } теперь выбрана модель { $name }, это записано в { $file }. Если Verst работает, перезапустите его.

## verst doctor
doctor-speakers = Голоса

## Сбои и замечания
failure-model-too-large = Речевой модели { $model } нужно около { $need_mb } МБ памяти, а есть { $free_mb } МБ, поэтому записи ждут. Освободите память, поднимите ограничение или возьмите модель поменьше: verst models list. Работа продолжится сама.
warning-speakers-unknown = Различить говорящих не удалось; текст весь на месте, но без имён.
