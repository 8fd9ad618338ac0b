"""The registry's clock, which its control API moves, and the forms of its dates."""

from datetime import datetime, timedelta, timezone

# 'odd': by the element of a date. All except the last two are valid forms of xs:dateTime.
ODD = {
    'svDate': '%Y-%m-%dT%H:%M:%S.0Z',
    'creData.crDate': '%Y-%m-%dT%H:%M:%S.0000Z',
    'creData.exDate': '%Y-%m-%dT%H:%M:%S+00:00',
    'infData.crDate': '%Y-%m-%dT%H:%M:%S+00:00',
    'infData.exDate': '%Y-%m-%dT%H:%M:%S.000Z',
    'infData.upDate': '%Y-%m-%dT%H:%M:%S',
    'infData.trDate': '%Y-%m-%d %H:%M:%S',
    'trnData.exDate': '%Y-%m-%dT%H:%M:%S+00:00',
    'trnData.reDate': '%Y-%m-%dT%H:%M:%S.00Z',
    'trnData.acDate': '%Y-%m-%d %H:%M:%S',
    'renData.exDate': '%Y-%m-%d',
    'qDate': '%Y-%m-%d %H:%M:%S.0',
}
PLAIN = '%Y-%m-%dT%H:%M:%SZ'


class Clock:
    def __init__(self, capabilities):
        self.capabilities = capabilities
        self.offset = timedelta()

    def now(self) -> datetime:
        return (datetime.now(timezone.utc) + self.offset).replace(microsecond=0)

    def move(self, seconds: float) -> None:
        self.offset += timedelta(seconds=seconds)

    def write(self, place: str, moment: datetime) -> str:
        return moment.strftime(ODD.get(place, PLAIN) if self.capabilities.dates == 'odd' else PLAIN)


def later_by_years(moment: datetime, years: int) -> datetime:
    try:
        return moment.replace(year=moment.year + years)
    except ValueError:  # 29 February
        return moment.replace(year=moment.year + years, day=28)
