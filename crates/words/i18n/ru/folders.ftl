## Вебхук
webhook-none = Вебхука нет: настройка «webhook_url» пуста.
webhook-delivered = Доставлено: ответ { $status }.
webhook-refused = Не доставлено: ответ { $status }. Проверьте адрес и чего ждёт программа на той стороне; доставкой считается любой ответ от 200 до 299.
webhook-refused-saying = Не доставлено: ответ { $status } со словами: { $said }
webhook-not-allowed = Адрес вебхука ведёт в вашу собственную сеть или на эту машину, а туда Verst без разрешения ничего не отправляет. Если так и задумано, поставьте allow_private_addresses = true.
webhook-timed-out = Та сторона вебхука не ответила вовремя. Проверьте программу там или увеличьте webhook_timeout_s.
webhook-unreachable = По адресу вебхука не достучаться: такого имени нет, там никто не отвечает или сертификату нельзя доверять. Проверьте настройку «webhook_url».

doctor-webhook = Вебхук
doctor-webhook-leads = ведёт на { $addresses }; пробное событие отправит «verst webhook test»
