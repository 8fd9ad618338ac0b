"""Result codes and the form of an answer (RFC 5730 2.6 and 3)."""

from xml.sax.saxutils import escape, quoteattr

MESSAGES = {
    1000: 'Command completed successfully',
    1001: 'Command completed successfully; action pending',
    1300: 'Command completed successfully; no messages',
    1301: 'Command completed successfully; ack to dequeue',
    1500: 'Command completed successfully; ending session',
    2000: 'Unknown command',
    2001: 'Command syntax error',
    2002: 'Command use error',
    2003: 'Required parameter missing',
    2004: 'Parameter value range error',
    2005: 'Parameter value syntax error',
    2100: 'Unimplemented protocol version',
    2101: 'Unimplemented command',
    2102: 'Unimplemented option',
    2103: 'Unimplemented extension',
    2104: 'Billing failure',
    2105: 'Object is not eligible for renewal',
    2106: 'Object is not eligible for transfer',
    2200: 'Authentication error',
    2201: 'Authorization error',
    2202: 'Invalid authorization information',
    2300: 'Object pending transfer',
    2301: 'Object not pending transfer',
    2302: 'Object exists',
    2303: 'Object does not exist',
    2304: 'Object status prohibits operation',
    2305: 'Object association prohibits operation',
    2306: 'Parameter value policy error',
    2307: 'Unimplemented object service',
    2400: 'Command failed',
    2501: 'Authentication error; server closing connection',
    2502: 'Session limit exceeded; server closing connection',
}
CLOSING = (1500, 2501, 2502)


class Refused(Exception):
    def __init__(self, code: int, reason: str = ''):
        super().__init__(f'{code} {reason}')
        self.code, self.reason = code, reason


class Answer:
    def __init__(self, code: int = 1000, data: str = '', extension: str = '', reason: str = '', queue: str = ''):
        self.code, self.data, self.extension, self.reason, self.queue = code, data, extension, reason, queue

    def xml(self, client_trid: str, server_trid: str) -> str:
        reason = f'<extValue><value><undef/></value><reason>{escape(self.reason)}</reason></extValue>' if self.reason else ''
        return document(
            f'<response><result code="{self.code}"><msg lang="en">{MESSAGES[self.code]}</msg>{reason}</result>{self.queue}'
            + (f'<resData>{self.data}</resData>' if self.data else '')
            + (f'<extension>{self.extension}</extension>' if self.extension else '')
            + f'<trID>{element("clTRID", client_trid) if client_trid else ""}{element("svTRID", server_trid)}</trID></response>'
        )


def document(body: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<epp xmlns="urn:ietf:params:xml:ns:epp-1.0">{body}</epp>'


def element(name: str, text: object, **attributes: str) -> str:
    marks = ''.join(f' {key}={quoteattr(value)}' for key, value in attributes.items())
    return f'<{name}{marks}>{escape(str(text))}</{name}>'
