# Всё, что читает человек. Отказ говорит, что случилось, что это значит для его записи и что делать.

## Отказы любой дороги
failure-panicked = Работу прервала ошибка в самом Verst. Попытка повторится сама; если запись остановится, сообщите об этом и приложите журнал.
failure-abandoned = Процесс несколько раз завершался посреди этой работы, и результата не было. Ничего не потеряно. Проверьте, хватает ли памяти, и снимите остановку.
failure-stuck =
    { $hours ->
        [one] Запись простояла на одном рубеже больше { $hours } часа и не продвинулась.
       *[other] Запись простояла на одном рубеже больше { $hours } часов и не продвинулась.
    } Ничего не потеряно. Снимите остановку, и работа пойдёт с этого места.
failure-stopped-by-person = Остановлено человеком. Снимите остановку, и работа пойдёт с этого места.
failure-result-refused = Ошибка в самом Verst: база данных не приняла результат. Попытка повторится сама; если запись остановится, сообщите об этом и приложите журнал.
failure-unknown-milestone = Эта версия Verst не знает рубежа, на котором стоит запись. Поставьте версию, которая её завела, и снимите остановку.

## Отказы записей
failure-empty-file = Файл пуст, расшифровывать нечего. Пришлите его ещё раз.
failure-no-audio-track = В файле нет звуковой дорожки, расшифровывать нечего.
failure-damaged-file = Файл повреждён или его запись не была завершена, поэтому раскодировать его нельзя. Оригинал сохранён. Пришлите целую копию.
failure-unsupported-format = Это не аудио и не видео из тех, что принимает Verst. Преобразуйте файл, например, в MP3 или M4A и пришлите снова.
failure-no-samples = Звуковая дорожка пуста: раскодировать из неё нечего. Пришлите целую копию.
failure-too-long = Запись длиннее предела: { $limit_s ->
        [one] { $limit_s } секунда
        [few] { $limit_s } секунды
       *[other] { $limit_s } секунд
    }. Разрежьте её и пришлите по частям.
failure-too-large = Файл больше предела ({ $limit_bytes } байт). Ничего из него не сохранено. Сожмите или разрежьте его либо поднимите предел в настройках.
failure-file-changing = Файл ещё записывался, пока его принимали. Ничего из него не сохранено. Пришлите его, когда запись закончится.
failure-no-progress = Раскодирование не продвигалось { $seconds ->
        [one] { $seconds } секунду
        [few] { $seconds } секунды
       *[other] { $seconds } секунд
    } и прервано. Попытка повторится сама.
failure-ffmpeg-failed = FFmpeg в этот раз не раскодировал файл. Попытка повторится сама; если запись остановится, проверьте память и диск.
failure-ffmpeg-missing = FFmpeg не установлен или не запускается, поэтому записи ждут. Установите FFmpeg (в Debian: apt install ffmpeg).
failure-disk-full = Диск заполнен, записать ничего нельзя. Принятое цело. Освободите место, и работа продолжится сама.
failure-audio-missing = Звука этой записи больше нет в каталоге данных. Восстановите его из резервной копии или пришлите запись снова.
failure-objects-failed = Звук не удалось прочитать или записать. Проверьте диск и права каталога данных; попытка повторится сама.
failure-store-failed = База данных недоступна. Попытка повторится сама; проверьте диск и права каталога данных.
failure-interrupted = Работа прервана. Ничего не потеряно, она продолжится сама.
failure-engine-died = Процесс распознавания неожиданно завершился. Попытка повторится сама, с последней готовой части.
failure-engine-illegal-instruction = Распознаватель собран для другого процессора: этот не знает его команд. Соберите Verst на этой машине и для неё: TRANSCRIBE_CMAKE_ARGS="-DGGML_NATIVE=ON" make run.
failure-engine-killed = Процесс распознавания был убит, скорее всего, из-за нехватки памяти. Попытка повторится сама; освободите память или возьмите модель поменьше.
failure-engine-unavailable = Процесс распознавания не запускается, поэтому записи ждут. Причину покажет «verst doctor».
failure-engine-silent = Распознаватель не отвечал { $seconds ->
        [one] { $seconds } секунду
        [few] { $seconds } секунды
       *[other] { $seconds } секунд
    } и был завершён. Попытка повторится сама.
failure-engine-failed = Распознаватель не справился с этой записью. Попытка повторится сама.
failure-model-missing = Речевой модели нет на месте, поэтому записи ждут. Положите её туда или назовите другую; место покажет «verst doctor».
failure-model-damaged = Файл речевой модели повреждён, поэтому записи ждут. Скачайте его заново; какой именно, покажет «verst doctor».
failure-language-unsupported = Речевая модель не знает языка { $language }. Выберите другую модель или не указывайте язык.
failure-unknown-submission = Неизвестно, началось ли платное распознавание. Снимите остановку и выберите: отправить снова (это может стоить денег второй раз) или ждать первое.
failure-recogniser-refused = Распознаватель отказался от этой записи. Снимите остановку и выберите: отправить снова или ждать.
failure-provider-paused = Сервис распознавания не принимает наш ключ или исчерпан лимит, поэтому записи ждут. Проверьте учётную запись, работа продолжится сама.
failure-provider-failed = Сервис распознавания недоступен или ответил ошибкой. Попытка повторится сама.
failure-attempt-missing = Сведения о распознавании пропали. Снимите остановку с новой отправкой.
failure-waiting-turn = Ждёт очереди: распознаватель занят другими записями.
failure-recognising = Идёт распознавание.
failure-awaiting-ticket = Ждёт ответа на отправку, как вы выбрали.
failure-unknown = Случилось то, для чего у этой версии нет слов: { $code }.

## Оговорки о записи, которая всё же расшифрована
warning-cut-off = Файл обрывается раньше, чем в нём сказано; расшифровано то, что есть.
warning-damaged-parts = Части файла не раскодировались, в тексте их нет.
warning-track-chosen = Звуковых дорожек в файле: { $of }; взята самая громкая, номер { $track }.

## Рубежи
milestone-uploaded = принята
milestone-normalized = раскодирована
milestone-submitted = распознаётся
milestone-transcribed = распознана
milestone-done = готова

## Командная строка
cli-done = { $name }: готово, { $segments ->
        [one] { $segments } отрезок
        [few] { $segments } отрезка
       *[other] { $segments } отрезков
    }.
cli-no-speech = { $name }: речи не найдено, текст пуст.
cli-stopped = { $name }: остановлено. { $reason }
cli-refused = { $name }: не принято. { $reason }
cli-unreadable = { $name }: файл не читается. Ничего не принято. Проверьте имя и права.
cli-not-a-file = { $name }: это не обычный файл. Назовите аудио или видео.
cli-retry = { $name }: { $reason } (попытка { $failures })
cli-waiting-trouble = { $reason } Записи сохранены в { $data }; запустите команду снова, когда поправите.
cli-interrupted = Прервано. Всё принятое сохранено в { $data }; та же команда продолжит с этого места.
cli-ending = Завершаюсь; нажмите Ctrl-C ещё раз, чтобы прервать сразу.
cli-held = Каталог данных { $data } занят процессом { $holder }. Дождитесь его или завершите, либо назовите другой каталог: --data.
cli-no-installation = В { $data } пока ничего нет. Сдайте что-нибудь: «verst transcribe ФАЙЛ».
cli-data-unusable = Каталог данных { $data } недоступен: { $cause }. Проверьте права и диск.
cli-database-future = База в { $data } записана более новой версией Verst (её версия { $found }, эта программа знает до { $known }). Ничего не изменено. Поставьте новую версию.
cli-database-broken = База в { $data } не открывается: { $cause }. Ничего не изменено. Восстановите её из резервной копии.
cli-settings-broken = Настройки в { $file } не годятся: { $cause }
cli-output-exists = { $file } уже есть, не тронут. Назовите другое место или уберите его.
cli-output-failed = { $file } не записан: { $cause }. Текст сохранён; повторите команду с другим --output.
cli-several-need-output = Нескольким файлам в этом формате нужен каталог: --output КАТАЛОГ.
cli-language-unknown = «{ $language }» — не код языка. Нужны две буквы: ru, en, de.
cli-no-workers = Принято. В настройках workers = 0, поэтому ничего не движется, пока это не изменят.
cli-nothing-left = В { $data } нет незаконченного. Назовите файлы для расшифровки.
cli-others-left = В { $data } { $count ->
        [one] не закончена ещё { $count } запись
        [few] не закончены ещё { $count } записи
       *[other] не закончено ещё { $count } записей
    }. «verst transcribe» без файлов продолжит работу над ними.
cli-empty-list = Пока ничего нет. Сдайте что-нибудь: «verst transcribe ФАЙЛ».
cli-missing = Записи { $id } нет. Что есть, покажет «verst list».
cli-was-stopped = { $id }: остановлена. Она стоит на рубеже «{ $milestone }», пока остановку не снимут.
cli-was-lifted = { $id }: остановка снята. Следующий запуск «verst transcribe» продолжит с рубежа «{ $milestone }».
cli-already-stopped = { $id }: уже остановлена.
cli-already-done = { $id }: готова, останавливать нечего.
cli-not-stopped = { $id }: не остановлена.
cli-choice-needed = { $id }: продолжение может стоить денег второй раз или быть напрасным. Выберите --submit-again или --keep-waiting.
cli-nothing-to-choose = { $id }: выбирать здесь нечего, отправки не было. Снимите остановку без выбора.
cli-renamed = { $id }: переименована.
cli-store-failed = База данных недоступна: { $cause }. Ничего не изменено.
cli-no-text-yet = Текста пока нет.
cli-text-empty = (речи не найдено)

list-id = №
list-state = состояние
list-length = длина
list-name = имя
list-more = Дальше: verst list --before { $before }

state-stopped = остановлена на рубеже «{ $milestone }»
state-waiting = { $milestone }
state-working = { $milestone }, в работе

show-state = Состояние
show-taken = Принята
show-size = Размер
show-length = Длина
show-language = Язык
show-model = Модель
show-warning = Оговорка
show-reason = Причина
show-waits = Ждёт
show-journal = Журнал
show-text = Текст
show-bytes = { $count ->
        [one] { $count } байт
        [few] { $count } байта
       *[other] { $count } байт
    }

unit-seconds = { $seconds } с

event-advanced = { $milestone } ({ $actor }, { $duration })
event-stopped = остановлена на рубеже «{ $milestone }»: { $actor }
event-lifted = снята с остановки на рубеже «{ $milestone }»: { $actor }
actor-step = шаг { $name }
actor-person = { $name }

doctor-ok = хорошо
doctor-bad = ПЛОХО
doctor-ffmpeg = FFmpeg
doctor-engine = Распознаватель
doctor-model = Речевая модель
doctor-vad = Поиск речи
doctor-data = Каталог данных
doctor-space = Место на диске
doctor-held = занят процессом { $holder }, и это нормально
doctor-not-made = { $path }: появится при первой работе
doctor-writable = { $path }
doctor-free = свободно { $free } ГиБ
doctor-little-free = свободно только { $free } ГиБ; освободите место, иначе записи будут ждать
doctor-first-try = { $model }: для первой пробы; модели побольше ошибаются намного реже, особенно по-русски
doctor-custom = { $model }
doctor-all-well = Всё хорошо.
doctor-trouble = { $count ->
        [one] Требует внимания: { $count }.
       *[other] Требуют внимания: { $count }.
    }
