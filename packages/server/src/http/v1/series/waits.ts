import { z } from 'zod';
import { readWaits, type WaitSeries, waitLimits } from '../../../core/series/waits.ts';
import { integer, text } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';

const hours = integer({
  min: 1,
  max: waitLimits.hours,
  about: `How many hours back. Up to ${waitLimits.byHour} each hour is a point, beyond that each day (UTC). Default: ${waitLimits.usualHours}.`,
}).optional();

const percentile = (share: number) =>
  z
    .number()
    .nullable()
    .describe(`In milliseconds; ${share} % took no longer. True to a tenth. Null: nothing was answered.`);

const frame = {
  from: z.string().describe('When the first point began.'),
  to: z.string().describe('Up to when it was counted.'),
  step: z.enum(['hour', 'day']).describe('How much time a point stands for.'),
};

const frameOf = ({ from, to, step }: WaitSeries) => ({ from: instantText(from), to: instantText(to), step });

const answerTimesView = z
  .object({
    registry_id: z.string(),
    command: z.string().nullable().describe('Object and verb, as `domain:create`; null: all together.'),
    points: z
      .array(
        z.object({
          at: z.string().describe('When the hour or day began.'),
          answered: z.number().describe('Commands that were answered.'),
          failed: z.number().describe('Of these: the registry could not do it (2400 and above).'),
          unknown: z.number().describe('Not answered.'),
          p50_ms: percentile(50),
          p95_ms: percentile(95),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({ id: 'AnswerTimes', description: 'How long a registry took to answer, hour by hour or day by day.' });

export const registrySeriesRoute = route({
  method: 'GET',
  path: '/operator/series/registries',
  area: 'account',
  style: 'own',
  summary: 'Read how long registries took to answer',
  description:
    'One line for each registry; with `registry_id` one for each kind of command of that registry. Commands that change something count, by the hour in which they were made. Hours without a command are left out. Only for the operator.',
  input: z.object({
    hours,
    registry_id: text({ max: 64, about: 'One registry, command by command.', example: 'sandbox' }).optional(),
  }),
  output: z.object({
    ...frame,
    lines: z.array(answerTimesView).describe('One for each registry, or for each kind of command.'),
  }),
  errors: ['invalid_argument', 'operator_only'],
  example: {
    input: { hours: 24 },
    output: {
      from: '2026-11-14T10:00:00Z',
      to: '2026-11-15T09:30:00Z',
      step: 'hour',
      lines: [
        {
          registry_id: 'sandbox',
          command: null,
          points: [{ at: '2026-11-15T09:00:00Z', answered: 6, failed: 0, unknown: 0, p50_ms: 21, p95_ms: 46 }],
        },
      ],
    },
  },
  async answer(ctx, caller, input) {
    const query = {
      kind: 'registry',
      subject: input.registry_id,
      hours: input.hours ?? waitLimits.usualHours,
    } as const;
    const series = await readWaits(ctx, caller, query);
    return {
      ...frameOf(series),
      lines: series.lines.map(({ subject, command, points }) => ({
        registry_id: subject,
        command,
        points: points.map(({ at, p50, p95, ...counts }) => ({
          at: instantText(at),
          ...counts,
          p50_ms: p50,
          p95_ms: p95,
        })),
      })),
    };
  },
});

const publicationTimesView = z
  .object({
    nameserver_id: z.string().describe('The nameserver.'),
    points: z
      .array(
        z.object({
          at: z.string().describe('When the hour or day began.'),
          published: z.number().describe('Changes of zones that it was seen to have.'),
          p50_ms: percentile(50),
          p95_ms: percentile(95),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({
    id: 'PublicationTimes',
    description: 'How long a nameserver took to have a change, hour by hour or day by day.',
  });

export const nameserverSeriesRoute = route({
  method: 'GET',
  path: '/operator/series/nameservers',
  area: 'account',
  style: 'own',
  summary: 'Read how long nameservers took to have a change',
  description:
    'From the moment that a zone changed to the moment that the nameserver was first seen to answer with it, by the hour of the change. Hours without a change are left out. Only for the operator.',
  input: z.object({ hours }),
  output: z.object({ ...frame, lines: z.array(publicationTimesView).describe('One for each nameserver.') }),
  errors: ['invalid_argument', 'operator_only'],
  example: {
    input: { hours: 168 },
    output: {
      from: '2026-11-08T10:00:00Z',
      to: '2026-11-15T09:30:00Z',
      step: 'hour',
      lines: [
        {
          nameserver_id: 'ns1',
          points: [{ at: '2026-11-15T09:00:00Z', published: 4, p50_ms: 120, p95_ms: 310 }],
        },
      ],
    },
  },
  async answer(ctx, caller, input) {
    const series = await readWaits(ctx, caller, {
      kind: 'nameserver',
      hours: input.hours ?? waitLimits.usualHours,
    });
    return {
      ...frameOf(series),
      lines: series.lines.map(({ subject, points }) => ({
        nameserver_id: subject,
        points: points.map(({ at, answered, p50, p95 }) => ({
          at: instantText(at),
          published: answered,
          p50_ms: p50,
          p95_ms: p95,
        })),
      })),
    };
  },
});
