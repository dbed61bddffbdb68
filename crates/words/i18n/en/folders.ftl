## The webhook
webhook-none = There is no webhook: the setting “webhook_url” is empty.
webhook-delivered = Delivered: the other side answered with { $status }.
webhook-refused = Not delivered: the other side answered with { $status }. Check the address and what the program there expects; any answer from 200 to 299 counts as delivered.
webhook-refused-saying = Not delivered: the other side answered with { $status } and said: { $said }
webhook-not-allowed = The webhook’s address leads into your own network or to this machine, and Verst sends nothing there unless allowed. If that is what you want, set allow_private_addresses = true.
webhook-timed-out = The other side of the webhook did not answer in time. Check the program there, or raise webhook_timeout_s.
webhook-unreachable = The webhook’s address cannot be reached: there is no such name, nobody answers there, or its certificate is not trusted. Check the setting “webhook_url”.

doctor-webhook = Webhook
doctor-webhook-leads = leads to { $addresses }; “verst webhook test” sends a test
