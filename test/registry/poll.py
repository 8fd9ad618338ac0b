"""Messages that wait for a registrar (RFC 5730 2.9.2.3)."""

from dataclasses import dataclass
from datetime import datetime

from results import Answer, Refused, element


@dataclass
class Message:
    id: str
    at: datetime
    text: str
    data: str


class Queues:
    def __init__(self, clock):
        self.clock, self.by_client, self.last = clock, {}, 0

    def put(self, client: str, text: str, data: str = '', at: datetime = None) -> None:
        self.last += 1
        self.by_client.setdefault(client, []).append(Message(f'm{self.last}-{client}', at or self.clock.now(), text, data))

    def waiting(self, client: str) -> list:
        return self.by_client.get(client, [])

    def count(self, client: str) -> str:
        """Part of every answer while messages wait (RFC 5730 2.6)."""
        messages = self.waiting(client)
        return f'<msgQ count="{len(messages)}" id="{messages[0].id}"/>' if messages else ''

    def request(self, client: str) -> Answer:
        messages = self.waiting(client)
        if not messages:
            return Answer(1300)
        head = messages[0]
        queue = f'<msgQ count="{len(messages)}" id="{head.id}"><qDate>{self.clock.write("qDate", head.at)}</qDate>{element("msg", head.text)}</msgQ>'
        return Answer(1301, head.data, queue=queue)

    def acknowledge(self, client: str, id: str) -> Answer:
        messages = self.waiting(client)
        if not messages or messages[0].id != id:
            raise Refused(2303, f'message {id}')
        messages.pop(0)
        return Answer(1000, queue=self.count(client))
