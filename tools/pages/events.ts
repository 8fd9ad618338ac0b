import { z } from 'zod';
import { type EventType, events } from '../../packages/server/src/core/events/catalogue.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Every event of the catalogue with its payload. */
export function eventsPage(): string {
  const types = Object.keys(events) as EventType[];
  const index = types.map(
    (type) => `| [\`${type}\`](#${type.replaceAll('.', '')}) | ${events[type].sentence} | ${events[type].since} |`,
  );
  return `# Events

This page lists all event types with their payload. The [guide](../guide/events.md) explains how to read the event log.
New types and new keys can be added: ignore those that you do not know. \`object_id\` is the id of the object after
"About".

| type | when | since |
|---|---|---|
${index.join('\n')}

${types.map(section).join('\n')}`;
}

function section(type: EventType): string {
  const { object, sentence, since, payload } = events[type];
  const schema = z.toJSONSchema(payload, { io: 'output' }) as Schema;
  return `## ${type}

${sentence} About: ${object}. Since ${since}.

| payload | type | meaning |
|---|---|---|
${rows(schema, '').join('\n')}
`;
}

function rows(schema: Schema, before: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const isOptional = !schema.required?.includes(name);
    const inner = part.anyOf?.find(({ type }) => type !== 'null') ?? part;
    const below = inner.items?.properties ? rows(inner.items, `${before}${name}[].`) : rows(inner, `${before}${name}.`);
    const about = part.description ?? inner.description ?? '';
    return [`| \`${before}${name}\`${isOptional ? ' (optional)' : ''} | ${typeText(part)} | ${about} |`, ...below];
  });
}

function typeText({ type, anyOf, items, enum: words }: Schema): string {
  if (anyOf) return anyOf.map(typeText).join(' or ');
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'array') return `list of ${items ? typeText(items) : 'anything'}`;
  return type ?? 'anything';
}
