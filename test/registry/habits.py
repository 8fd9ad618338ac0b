"""What this registry does in its own way, as data: `server.py --habit dates=plain`."""

from dataclasses import dataclass, fields


@dataclass
class Habits:
    # Secrets of names and contacts (RFC 5731 3.2.1, RFC 5733 3.2.1): wanted at create, of this length and made of these.
    auth_min: int = 8
    auth_max: int = 16
    auth_mixed: bool = True
    # A name of another sponsor: 'refused' is 2201, 'shown' shows the little that is public.
    strangers: str = 'refused'
    # 'odd' writes dates as they are seen in the wild, 'plain' as RFC 3339 has them.
    dates: str = 'odd'
    # A clTRID that was seen before: the line is closed without a word.
    closes_on_repeat: bool = True
    # RFC 8748 is offered; the class of a name and `standard` are told only if the second is true as well.
    fee: bool = True
    fee_class: bool = False
    fee_in_parts: bool = True
    max_sessions: int = 4
    commands_per_session: int = 1000
    idle_seconds: int = 300
    names_per_check: int = 10
    max_frame_bytes: int = 100_000
    low_balance: int = 50_000
    currency: str = 'USD'
    # RFC 9154: offered; a secret is empty, or strong while a transfer is wanted.
    secure_auth: bool = False
    # The id of a new contact is this registry's; equal data of one registrar get one id only if the second is true as well.
    assigns_ids: bool = False
    shares_ids: bool = False
    # Years that a restore adds to the term; its fee is then the one of the restore and of a renewal.
    restore_years: int = 0

    def change(self, name: str, value: str) -> None:
        kind = {field.name: field.type for field in fields(self)}.get(name)
        if kind is None:
            raise ValueError(f'no habit is called {name}')
        read = {'int': int, 'bool': lambda text: text in ('true', 'True', '1'), 'str': str}
        setattr(self, name, read[getattr(kind, '__name__', kind)](value))
