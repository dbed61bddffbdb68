## Что прислали и что скачать нельзя
failure-not-a-torrent = Это не магнет-ссылка и не торрент-файл, поэтому скачивать нечего. Пришлите магнет-ссылку текстом, сам файл .torrent или адрес, который ведёт на что-то из этого; многие сайты отдают файл только после входа.
failure-torrent-too-large = Торрент-файл больше { $limit_bytes } байт, поэтому он не прочитан. Пришлите вместо него магнет-ссылку на тот же торрент.
failure-too-many-files = В этом торренте больше { $limit } файлов, поэтому он не принят. Поищите то же самое в виде нескольких торрентов.
failure-too-many-magnets = В этом тексте больше { $limit } магнет-ссылок, поэтому не принята ни одна. Пришлите их несколькими сообщениями.
failure-text-too-large = Текст длиннее { $limit_bytes } байт, поэтому он не просмотрен. Пришлите только ссылки.
failure-url-private = Этот адрес ведёт в частную сеть, а оттуда ничего не скачивается. Пришлите магнет-ссылку или сам торрент-файл либо попросите владельца разрешить такие адреса в настройках.
failure-url-wrong = По такому адресу скачать ничего нельзя. Он должен начинаться с http:// или https:// либо быть магнет-ссылкой.
failure-url-unreachable = До сервера по этому адресу не достучаться, или он оборвал связь. Проверьте, открывается ли адрес в браузере, и попробуйте позже.
failure-url-refused = Сервер по этому адресу не отдал файл и ответил { $status }. Если сайт требует входа, скачайте торрент-файл в браузере и пришлите сам файл.
failure-url-redirects = Этот адрес ведёт всё дальше и дальше и так и не приводит к файлу. Откройте его в браузере и пришлите магнет-ссылку или торрент-файл, которые там найдёте.
failure-url-slow = Сервер по этому адресу отвечает слишком долго. Попробуйте позже или пришлите сам торрент-файл.

## Где загрузка и почему
milestone-caught = принята
milestone-downloading = качается
milestone-completed = скачана
milestone-identified = опознана
milestone-watch = под наблюдением
failure-magnet-timeout = За { $hours } ч никто не отдал метаданные этой magnet-ссылки, поэтому ждать перестали. Торрент остался в qBittorrent: если кто-нибудь появится, загрузка продолжится сама. Повтор даст ей ещё столько же времени.
failure-stalled = За { $hours } ч данные не сдвинулись, загрузка признана зависшей. Торрент остался в qBittorrent: если появится раздающий, она продолжится сама. Повтор даст ей ещё столько же времени.
failure-client-error = qBittorrent не может продолжать ({ $state ->
        [missing_files] файлы торрента пропали: подключён ли диск?
       *[error] его диск полон или недоступен для записи
    }). Устраните причину и повторите: торрент будет отдан qBittorrent заново, а то, что уже на диске, сохранится.
failure-torrent-gone = Торрента больше нет в qBittorrent. Если его удалили там по ошибке, повторите: он будет добавлен снова.
failure-client-unreachable = qBittorrent не отвечает. Ничего не потеряно: загрузки продолжатся, когда он ответит. Запущен ли он и верен ли его адрес в настройке «qbittorrent»?
failure-client-refuses = qBittorrent не пускает Verst. Проверьте настройки «qbittorrent_user» и «qbittorrent_password»; следующая попытка будет не сразу, потому что qBittorrent запирается от тех, кто настаивает.
failure-client-unexpected = qBittorrent ответил непонятно; его спросят ещё раз. Известны версии с 4.5 по 5.2.
failure-add-refused = qBittorrent не принял торрент; попытка повторится. Причина — в его журнале.
failure-no-room = На диске qBittorrent не хватает места для этой загрузки. Она начнётся, как только место появится.
failure-watching = Идёт наблюдение за qBittorrent.
failure-needs-choice = По именам нельзя уверенно сказать, что это, а неверное имя хуже, чем никакого. Выберите: verst choose НОМЕР.
failure-nothing-to-file = Ни фильма, ни серии здесь нет, поэтому в библиотеку ничего не попало. Файлы остались там, где их держит qBittorrent.
failure-dangerous-files = Среди файлов есть программы, как бывает в подделках, поэтому в библиотеку ничего не попало. Посмотрите на файлы, прежде чем открывать, и удалите загрузку, если это подделка.
failure-needs-unpack = Всё упаковано в архивы, а Verst их не распаковывает. Распакуйте сами или найдите раздачу без архивов.
failure-files-missing = Файла нет там, где его называет qBittorrent. Подключён ли диск и туда ли ведёт настройка «qbittorrent_paths»? Потом снимите остановку.
failure-name-taken = Имя, которое должен получить файл, в библиотеке занято другим, а перезаписывать ничего нельзя. Уберите то, что мешает, или выберите другое название, потом снимите остановку.
failure-cross-device = Библиотека и загрузка на разных файловых системах, поэтому ссылки невозможны. Держите их на одной или разрешите копирование (настройка «library_link»), потом снимите остановку.
failure-library-failed = В библиотеку не удалось записать; попытка повторится. Всё начатое отменено.
failure-library-missing = Библиотеки нет, или она сейчас недоступна. Укажите её папку в настройке «library», проверьте, что диск подключён, потом снимите остановку.
failure-place-unknown = Папки, в которой файлы держит qBittorrent, на этой машине нет. Укажите, где она здесь (настройка «qbittorrent_paths»), потом снимите остановку.
failure-merged-into = Это оказался тот же торрент, что у загрузки { $id }; дальше идёт она.
failure-owned-by-other = Этот торрент теперь у загрузки { $id }.

## В терминале
cli-no-client = Скачивать нельзя: { $cause }. Проверьте настройку «qbittorrent».
cli-downloads-off = Здесь ничего не скачивается: торрент-клиент не указан. Впишите адрес qBittorrent в настройку «qbittorrent»; как — сказано в docs/downloads.md.
cli-added = { $id }	{ $name }
cli-added-before = { $id }: уже здесь, { $name }. Приславшему сейчас о ней тоже сообщат.
cli-added-broken = { $count ->
        [one] Ещё { $count } ссылка похожа на magnet, но это не он.
        [few] Ещё { $count } ссылки похожи на magnet, но это не он.
       *[other] Ещё { $count } ссылок похожи на magnet, но это не он.
    }
cli-add-recording = { $url } — это запись, а не торрент. Сдайте её как запись: скачайте и примените «verst submit» или отправьте в /api/v1/recordings.
cli-download-missing = Загрузки { $id } нет. Что есть, покажет «verst downloads».
cli-downloads-empty = Пока ничего не скачано. Начните так: verst add «magnet:?…»
cli-downloads-more = Дальше: verst downloads --before { $before }
download-list-id = №
download-list-state = состояние
download-list-size = размер
download-list-name = имя
download-state-failed = остановлена на рубеже «{ $milestone }»
download-state-stuck = зависла
download-state-moving = { $milestone }
download-retried = { $id }: продолжается.
download-was-stopped = { $id }: остановлена. Её торрент стоит в qBittorrent, пока остановку не снимут.
download-owned = { $id }: этот торрент теперь у загрузки { $other }, поэтому ничего не сделано.
download-lost = { $id }: тем временем пошла дальше сама. Где она, покажет «verst downloads».
download-refused = { $id }: qBittorrent не принял торрент. Причина — в его журнале; здесь ничего не изменилось.
download-no-room = { $id }: на диске qBittorrent не хватает места. Освободите его и повторите.
download-candidates = { $id } может быть одним из этого. Выберите: verst choose { $id } --candidate НОМЕР или назовите сами: --movie либо --series.
download-candidate = { $number }  { $kind ->
        [movie] фильм
       *[series] сериал
    }: { $title } ({ $year })
download-candidate-yearless = { $number }  { $kind ->
        [movie] фильм
       *[series] сериал
    }: { $title }
download-no-candidates = { $id }: нет даже догадки. Назовите сами: --movie НАЗВАНИЕ или --series НАЗВАНИЕ, с --year и --season.
download-chosen = { $id }: понятно. Теперь её разложат в библиотеке.
download-no-candidate = { $id }: варианта { $number } нет.
download-nothing-to-choose = { $id }: выбора не ждёт.
download-choice-wrong = { $id }: так не выйдет: { $cause }.
download-unplaced = { $count ->
        [one] { $id }: из библиотеки убран { $count } файл.
        [few] { $id }: из библиотеки убрано { $count } файла.
       *[other] { $id }: из библиотеки убрано { $count } файлов.
    } Скачанное осталось на месте.
download-not-placed = { $id }: в библиотеке от неё ничего нет.
download-on-its-way = { $id }: ещё в пути. Сначала остановите её.
download-nowhere = { $id }: скачанного на этой машине нет, сравнить не с чем, поэтому ничего не убрано.
download-unplace-failed = { $id }: библиотеку не удалось изменить: { $cause }.
download-deleted = { $id }: удалена. Торрент и данные остались в qBittorrent; то, что в библиотеке, тоже на месте.
download-delete-unsure = { $id }: Verst забудет эту загрузку; торрент, данные и то, что в библиотеке, останутся. Чтобы забыть: verst delete { $id } --yes

show-client = В qBittorrent
show-client-none = её торрента нет
show-client-state = { $state ->
        [metadata] ищет метаданные
        [downloading] скачивается
        [stalled] ждёт данных
        [seeding] скачана, раздаётся
        [queued] в очереди
        [stopped] стоит
        [checking] данные проверяются
        [moving] файлы переносятся
        [error] дальше не может
        [missing_files] файлы пропали
       *[unknown] в состоянии, которого Verst не знает
    }
show-client-down = приём { $rate } кБ/с
show-client-up = отдача { $rate } кБ/с
show-client-others = { $seeds ->
        [one] { $seeds } сид
        [few] { $seeds } сида
       *[other] { $seeds } сидов
    }, { $peers ->
        [one] { $peers } пир
        [few] { $peers } пира
       *[other] { $peers } пиров
    }
show-client-eta = осталось { $time }
show-hash = Хеш
show-candidates = Это может быть
show-library = В библиотеке
show-more = и ещё { $count }
show-merged = Идёт дальше
show-merged-into = как загрузка { $id }: у неё тот же торрент

## Есть ли у загрузок всё нужное
failure-watch-failing = Посмотреть, что делает qBittorrent, не вышло { $times ->
        [one] { $times } раз
        [few] { $times } раза
       *[other] { $times } раз
    } подряд, и причина в самом Verst, поэтому загрузки без присмотра. Попытки повторяются не реже раза в минуту; первая же удачная всё исправит. Загляните в журнал «verst serve» и, пожалуйста, сообщите об ошибке.
failure-watch-late = Уже { $minutes ->
        [one] { $minutes } минуту
        [few] { $minutes } минуты
       *[other] { $minutes } минут
    } ни один исполнитель не смотрел, что делает qBittorrent, поэтому загрузки стоят. Проверьте, что работает «verst serve» и что исполнители есть (настройка «workers») и не заняты все на часы.
doctor-qbittorrent = qBittorrent
doctor-library = Библиотека
doctor-watch = Наблюдение
doctor-category-there = категория «{ $name }»
doctor-category-later = категория «{ $name }» появится с первой загрузкой
doctor-category-none = без категории
doctor-library-takes = { $library } принимает файлы из { $from }: один для пробы положен и убран
doctor-watch-well = пока Verst работает, за qBittorrent присматривают
doctor-watch-silent = Так с { $since }.
