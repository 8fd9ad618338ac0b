"""One session of one registrar: greeting, login, and commands one after another (RFC 5730 2)."""

import traceback

import grace
import grammar
from framing import LineClosed, deliver, frame_of, read_frame
from grammar import URIS, child, children, text, text_of
from results import CLOSING, Answer, Refused, document, element

OBJECTS = ('domain', 'contact')
# The extension elements that each command allows.
RIDES = {('secDNS', 'create'), ('secDNS', 'update'), ('rgp', 'update'), ('fee', 'check'), ('fee', 'create'), ('fee', 'renew'),
         ('fee', 'transfer'), ('fee', 'update'), ('fee', 'delete')}
MAX_LOGIN_TRIES = 3


class Command:
    def __init__(self, node, client: str, announced: set):
        self.client, self.announced = client, announced
        verb, rest = node[0], list(node)[1:]
        self.verb, self.element, self.op = grammar.split(verb.tag)[1], verb, verb.get('op', '')
        self.object = verb[0] if len(verb) and self.verb not in ('login', 'poll') else None
        self.kind = self.verb if self.object is None else f'{grammar.split(self.object.tag)[0]}:{self.verb}'
        self.extensions = {}
        for each in [each for part in rest if part.tag.endswith('}extension') for each in part]:
            prefix, name = grammar.split(each.tag)
            if prefix not in announced or prefix in OBJECTS:
                raise Refused(2103, prefix)
            if (prefix, self.verb) not in RIDES or name != self.verb or prefix in self.extensions:
                raise Refused(2001, f'{prefix}:{name} does not go with {self.verb}')
            self.extensions[prefix] = each


class Session:
    def __init__(self, registry, line, number: int):
        self.registry, self.line, self.number = registry, line, number
        self.client, self.announced, self.tries, self.commands = '', set(), 0, 0

    def serve(self) -> None:
        registry = self.registry
        try:
            self.line.settimeout(registry.capabilities.idle_seconds)
            self.say(self.greeting(), {'do': 'nothing'})
            while self.commands < registry.capabilities.commands_per_session:
                frame = read_frame(self.line, registry.capabilities.max_frame_bytes)
                with registry.lock:
                    registry.note(self.number, 'in', frame.decode(errors='replace'))
                    grace.advance(registry)
                    told, fault, ends = self.handle(frame)
                self.say(told, fault)
                if ends:
                    break
        except LineClosed:
            pass
        finally:
            with registry.lock:
                registry.sessions = [each for each in registry.sessions if each is not self]
                registry.note(self.number, 'closed', '')
            self.line.close()

    def say(self, told: str, fault: dict) -> None:
        with self.registry.lock:
            self.registry.note(self.number, 'out' if fault['do'] == 'nothing' else f'out, {fault["do"]}', told)
        deliver(self.line, frame_of(told), fault)

    def greeting(self) -> str:
        objects = ''.join(element('objURI', URIS[each]) for each in OBJECTS)
        extensions = ''.join(element('extURI', URIS[each]) for each in self.registry.offered())
        return document(
            f'<greeting><svID>The Far Registry</svID><svDate>{self.registry.clock.write("svDate", self.registry.clock.now())}</svDate>'
            f'<svcMenu><version>1.0</version><lang>en</lang>{objects}<svcExtension>{extensions}</svcExtension></svcMenu>'
            '<dcp><access><all/></access><statement><purpose><admin/><prov/></purpose><recipient><ours/><public/></recipient>'
            '<retention><stated/></retention></statement></dcp></greeting>'
        )

    def handle(self, frame: bytes) -> tuple:
        """The answer, its fault, and whether the connection closes."""
        trid, answer, kind = '', None, '?'
        server_trid = self.registry.server_trid()
        try:
            root = grammar.parse(frame)
            trid = text(root, 'command/clTRID') if root.tag == f'{{{URIS["epp"]}}}epp' else ''
            self.never_twice(trid)
            grammar.check(root)
            if grammar.split(root[0].tag)[1] == 'hello':
                return self.greeting(), {'do': 'nothing'}, False
            self.commands += 1
            command = Command(root[0], self.client, self.announced)
            kind = command.kind
            self.registry.accounts.cause = (trid, server_trid)
            answer = self.carry_out(command)
        except Refused as refused:
            answer = Answer(refused.code, reason=refused.reason)
        except LineClosed:
            raise
        except Exception:
            traceback.print_exc()
            answer = Answer(2400)
        if self.client and not answer.queue and answer.code != 1500:
            answer.queue = self.registry.queues.count(self.client)
        fault = self.registry.faults.take(kind) if answer.code < 2000 else {'do': 'nothing'}
        return answer.xml(trid, server_trid), fault, answer.code in CLOSING

    def never_twice(self, trid: str) -> None:
        if trid and trid in self.registry.seen and self.registry.capabilities.closes_on_repeat:
            raise LineClosed
        self.registry.seen.add(trid)

    def carry_out(self, command: Command) -> Answer:
        if command.verb == 'login':
            return self.login(command)
        if not self.client:
            raise Refused(2002, 'log in first')
        if command.verb == 'logout':
            return Answer(1500)
        if command.verb == 'poll':
            return self.poll(command)
        prefix, name = grammar.split(command.object.tag)
        if prefix not in OBJECTS or prefix not in self.announced:
            raise Refused(2307, prefix)
        if name != command.verb:
            raise Refused(2001, f'{prefix}:{name} in {command.verb}')
        if command.verb == 'transfer' and prefix == 'domain':
            return self.registry.transfers.handle(command)
        perform = getattr(self.registry.domains if prefix == 'domain' else self.registry.contacts, command.verb, None)
        if perform is None:
            raise Refused(2101, f'{command.verb} of {prefix}')
        return perform(command)

    def poll(self, command: Command) -> Answer:
        if command.op == 'req':
            return self.registry.queues.request(self.client)
        if not command.element.get('msgID'):
            raise Refused(2003, 'msgID')
        return self.registry.queues.acknowledge(self.client, command.element.get('msgID'))

    def login(self, command: Command) -> Answer:
        node, registry = command.element, self.registry
        if self.client:
            raise Refused(2002, 'logged in already')
        if text(node, 'options/version') != '1.0':
            raise Refused(2100, text(node, 'options/version'))
        if text(node, 'options/lang') != 'en':
            raise Refused(2102, text(node, 'options/lang'))
        offered = {URIS[each]: each for each in OBJECTS}
        further = {URIS[each]: each for each in registry.offered()}
        for path, known, code in (('svcs/objURI', offered, 2307), ('svcs/svcExtension/extURI', further, 2103)):
            for uri in [text_of(each) for each in children(node, path)]:
                if uri not in known:
                    raise Refused(code, uri)
        client = text(node, 'clID')
        if registry.passwords.get(client) != text(node, 'pw'):
            self.tries += 1
            raise Refused(2501 if self.tries >= MAX_LOGIN_TRIES else 2200, client)
        if len([each for each in registry.sessions if each.client == client]) >= registry.capabilities.max_sessions:
            raise Refused(2502, f'{registry.capabilities.max_sessions} sessions')
        if child(node, 'newPW') is not None:
            registry.passwords[client] = text(node, 'newPW')
        named = children(node, 'svcs/objURI') + children(node, 'svcs/svcExtension/extURI')
        self.client, self.announced = client, {(offered | further)[text_of(each)] for each in named}
        registry.sessions.append(self)
        return Answer()
