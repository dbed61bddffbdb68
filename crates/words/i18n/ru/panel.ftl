# Что стоит на страницах панели. Почему что-то ждёт или не вышло, сказано там же, где сами сбои.

## Вокруг каждой страницы
nav-inbox = Входящие
nav-recordings = Записи
nav-downloads = Загрузки
panel-skip = Перейти к содержанию
panel-nav = Разделы
panel-signed-in = Вы вошли как
panel-logout = Выйти
panel-close = Закрыть
panel-cancel = Отмена
panel-save = Сохранить
panel-dismiss = Скрыть
panel-toasts = Сообщения
panel-offline = Verst недоступен. Показанное могло устареть.
panel-failed = Не получилось. Попробуйте ещё раз.
look-language = Язык
look-theme = Цвета
look-auto = Как в системе
look-light = Светлые
look-dark = Тёмные
language-en = English
language-ru = Русский
error-home = Во входящие

## Клавиши
keys-title = Клавиатура
keys-on = Одиночные клавиши делают это
keys-help = Показать этот список
keys-search = Искать
keys-go = Перейти во входящие, записи, загрузки
keys-play = Слушать или остановить
keys-seek = На пять секунд назад или вперёд
keys-segment = Предыдущая или следующая фраза
keys-speed = Медленнее или быстрее
keys-follow = Держать звучащую фразу на виду
keys-edit = Править написанное о записи
keys-close = Закрыть окно

## Вход
login-title = Вход
login-name = Имя
login-password = Пароль
login-go = Войти
login-first = Ещё ни у кого нет учётной записи?
setup-have = Учётная запись уже есть: войти
setup-title = Добро пожаловать в Verst
setup-lead = Создайте первую учётную запись. Она видит всё и может создавать другие.
setup-token = Токен первого запуска
setup-token-hint = Verst напечатал его при запуске; ещё раз его покажет «docker logs» или «journalctl».
setup-name = Ваше имя
setup-name-hint = С ним вы входите, и оно стоит на том, что вы передаёте. Изменить его потом нельзя.
setup-password-hint = Не меньше 10 знаков. Несколько не связанных слов легко запомнить и трудно угадать.
setup-go = Создать учётную запись

## Единицы
unit-point = ,
unit-bytes = { $number } Б
unit-kib = { $number } КиБ
unit-mib = { $number } МиБ
unit-gib = { $number } ГиБ
unit-tib = { $number } ТиБ

## Входящие
drop-title = Передайте что угодно
drop-lead = Перетащите файлы на эту страницу, выберите их или вставьте ссылку. Аудио и видео станут текстом, торренты — фильмами и сериалами в медиатеке.
drop-link = Magnet-ссылки, адреса записей или торрент-файлов
drop-link-hint = Вставьте magnet-ссылку или адрес
drop-take = Принять
drop-choose = Выбрать файлы
drop-here = Отпустите, чтобы передать
uploads-title = Передаётся
uploads-clear = Убрать законченные
upload-recording = запись
upload-torrent = торрент
upload-magnet = magnet-ссылка
upload-address = адрес
upload-waits = ждёт очереди
upload-sends = передаётся
upload-stores = сохраняется
upload-taken = принято
upload-known = уже было здесь
upload-cancelled = отменено, ничего не сохранено
upload-broken = Связь прервалась. Ничего не сохранено.
upload-nothing = В этом тексте нет ни magnet-ссылки, ни адреса.
upload-cancel = Отменить
upload-again = Ещё раз
upload-open = Открыть
motion-asks = Ждёт вас
motion-moving = В пути
motion-finished = Только что готово
motion-all-asks = Всё остановленное
motion-all-moving = Все записи в пути
motion-all-finished = Всё готовое
motion-empty = В пути ничего нет
motion-empty-lead = Всё, что вы передадите, появится здесь и пойдёт дальше само.
road-label = Путь
row-recording = запись
row-download = загрузка
row-number = номер { $number }
row-pick = Выбрать
row-stop = Остановить
row-lift = Продолжить
row-retry = Повторить
row-submit-again = Отправить ещё раз
row-keep-waiting = Ждать дальше
row-choose = Выбрать

## Список записей
list-search = Искать
list-search-hint = Искать в сказанном и написанном
list-filter-state = Состояние
list-all = Все
list-moving = В пути
list-stopped = Остановленные
list-done = Готовые
list-older = Более ранние
list-empty = Записей пока нет
list-empty-lead = Передайте первую во входящих
downloads-empty = Загрузок пока нет
downloads-empty-lead = Сдайте первую во входящих: ссылку magnet, адрес или файл .torrent
list-nothing = Ничего не нашлось
list-nothing-lead = Должно быть каждое слово, в любой форме; слово* значит любое окончание.
list-shown = { $count ->
        [one] Показана { $count } запись
        [few] Показаны { $count } записи
       *[other] Показано { $count } записей
    }
bulk-label = Сделать это со всеми выбранными
bulk-picked = Выбрано:
bulk-delete = Удалить…
bulk-delete-title = Удалить выбранное?
bulk-delete-lead = Звук, тексты и всё написанное пропадут навсегда. Вернуть их будет нельзя.
bulk-delete-go = Удалить навсегда
bulk-stopped = { $count ->
        [one] Остановлена { $count } запись.
        [few] Остановлены { $count } записи.
       *[other] Остановлено { $count } записей.
    }
bulk-lifted = { $count ->
        [one] Пошла дальше { $count } запись.
        [few] Пошли дальше { $count } записи.
       *[other] Пошло дальше { $count } записей.
    }
bulk-deleted = { $count ->
        [one] Удалена { $count } запись.
        [few] Удалены { $count } записи.
       *[other] Удалено { $count } записей.
    }
bulk-not = { $count ->
        [one] С { $count } записью так нельзя: она стоит не там.
       *[other] С { $count } записями так нельзя: они стоят не там.
    }

## Запись
sound-title = Звук
sound-mute = Этот браузер не умеет воспроизводить такие файлы.
sound-download = Скачать
sound-follow = Следить за текстом
sound-speed = Скорость
sound-gone = Звук больше не хранится.
facts-title = Сведения
exports-title = Сохранить текст как
recording-file = Файл
recording-owner = Владелец
text-hear = Слушать с
text-silent = Речи в записи не нашлось, текст пуст.
edit-open = Править
edit-title = Что написано о записи
edit-name = Название
edit-summary = Краткое содержание
edit-topics = Темы
edit-topics-hint = Через запятую
edit-speaker = Имя говорящего { $label }
again-open = Распознать заново…
again-title = Распознать заново
again-lead = Имеющийся текст останется, пока его не сменит новый. Написанное людьми останется.
again-language-hint = Две буквы, например ru или en. Если пусто, язык определится сам.
again-model-usual = Как в настройках
again-cost = За это распознаватель берёт деньги. Я согласен.
again-go = Распознать
delete-open = Удалить…
delete-title = Удалить эту запись?
delete-lead = Звук, текст и всё написанное пропадут навсегда. Вернуть их будет нельзя.
delete-go = Удалить навсегда

## Исправить текст и поделиться им
text-reword = Править фразу на
text-reword-title = Исправить сказанное
text-reword-label = Что было сказано на самом деле
text-restore = Как услышано
text-heard = Услышано:
text-misfits = Эти исправления не подходят к новому тексту. Они хранятся, пока не подойдут или пока вы их не отзовёте.
text-withdraw = Отозвать
share-open = Поделиться…
share-title = Поделиться записью
share-lead = У кого есть ссылка, тот может читать текст и слушать звук без учётной записи, но ничего не меняет.
share-days = Дней
share-go = Создать ссылку
share-made = Ссылка
share-once = Она показана сейчас и больше никогда.
share-until = Открыта до
share-revoke = Отозвать
share-nameless = Запись
