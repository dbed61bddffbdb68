# A recogniser with OpenAI's interface.

cli-only-again = { $id }: the provider cannot be asked what became of its last call, so there is nothing to wait for. Lift it with --submit-again: only that part is sent again, which may cost a second time; the finished parts stay.
doctor-openai = Recognition server
doctor-openai-paid = { $server } — calls cost money; nothing was transcribed to try it
doctor-openai-free = { $server } — nothing was transcribed to try it
