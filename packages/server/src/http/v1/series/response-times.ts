import { z } from 'zod';
import { type ResponseTimeSeries, readResponseTimes, responseTimeLimits } from '../../../core/series/response-times.ts';
import { integer, text } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';

const hours = integer({
  min: 1,
  max: responseTimeLimits.hours,
  about: `Number of hours back. Up to ${responseTimeLimits.byHour}, each hour is a point; above, each day (UTC). Default: ${responseTimeLimits.usualHours}.`,
}).optional();

const percentile = (share: number) =>
  z
    .number()
    .nullable()
    .describe(`In milliseconds: ${share} % took at most this long, rounded to a tenth. Null: no answers.`);

const frame = {
  from: z.string().describe('Start of the first point.'),
  to: z.string().describe('End of the counted period.'),
  step: z.enum(['hour', 'day']).describe('Length of a point.'),
};

const frameOf = ({ from, to, step }: ResponseTimeSeries) => ({ from: instantText(from), to: instantText(to), step });

const answerTimesView = z
  .object({
    registry_id: z.string(),
    command: z.string().nullable().describe('Object and verb, as `domain:create`. Null: all together.'),
    points: z
      .array(
        z.object({
          at: z.string().describe('Start of the hour or day.'),
          answered: z.number().describe('Answered commands.'),
          failed: z.number().describe('Of these: failed at the registry (2400 and above).'),
          unknown: z.number().describe('Unanswered commands.'),
          p50_ms: percentile(50),
          p95_ms: percentile(95),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({ id: 'AnswerTimes', description: 'Response times of a registry, by hour or day.' });

export const registrySeriesRoute = route({
  method: 'GET',
  path: '/operator/series/registries',
  area: 'account',
  style: 'own',
  summary: 'Read response times of registries',
  description:
    'One line for each registry; with `registry_id`, one for each kind of command at that registry. Only commands that change something count, in the hour in which they were made. Hours without commands are omitted. Only for the operator.',
  input: z.object({
    hours,
    registry_id: text({ max: 64, about: 'Only this registry, by command.', example: 'sandbox' }).optional(),
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
      hours: input.hours ?? responseTimeLimits.usualHours,
    } as const;
    const series = await readResponseTimes(ctx, caller, query);
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
          at: z.string().describe('Start of the hour or day.'),
          published: z.number().describe('Zone changes that it was seen to serve.'),
          p50_ms: percentile(50),
          p95_ms: percentile(95),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({
    id: 'PublicationTimes',
    description: 'Publication times of a nameserver, by hour or day.',
  });

export const nameserverSeriesRoute = route({
  method: 'GET',
  path: '/operator/series/nameservers',
  area: 'account',
  style: 'own',
  summary: 'Read publication times of nameservers',
  description:
    'Time from the change of a zone until the nameserver was first seen to serve it, by hour of the change. Hours without changes are omitted. Only for the operator.',
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
    const series = await readResponseTimes(ctx, caller, {
      kind: 'nameserver',
      hours: input.hours ?? responseTimeLimits.usualHours,
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
