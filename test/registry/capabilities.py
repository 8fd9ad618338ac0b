"""Options of this registry, which differ between registries: `server.py --capability dates=plain`."""

from dataclasses import dataclass, fields


@dataclass
class Capabilities:
    # Auth codes of domains and contacts (RFC 5731 3.2.1, RFC 5733 3.2.1): required at create, with this length and these characters.
    auth_min: int = 8
    auth_max: int = 16
    auth_mixed: bool = True
    # An info on another sponsor's domain: 'refused' is 2201, 'shown' returns the public data.
    strangers: str = 'refused'
    # 'odd' writes dates in the forms of real registries, 'plain' as in RFC 3339.
    dates: str = 'odd'
    # A repeated clTRID closes the connection without an answer.
    closes_on_repeat: bool = True
    # RFC 8748 is offered; the class of a name and `standard` are returned only if the second is true as well.
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
    # RFC 9154 is offered: an auth code is empty, or strong during a transfer.
    secure_auth: bool = False
    # The registry assigns the id of a new contact; equal data of one registrar share an id only if the second is true as well.
    assigns_ids: bool = False
    shares_ids: bool = False
    # Years that a restore adds to the term; its fee then includes that of a renewal.
    restore_years: int = 0

    def change(self, name: str, value: str) -> None:
        kind = {field.name: field.type for field in fields(self)}.get(name)
        if kind is None:
            raise ValueError(f'unknown capability {name}')
        read = {'int': int, 'bool': lambda text: text in ('true', 'True', '1'), 'str': str}
        setattr(self, name, read[getattr(kind, '__name__', kind)](value))
