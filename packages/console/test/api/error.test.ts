import { describe, expect, test } from 'vitest';
import { ApiError, asApiError } from '../../src/api/error.ts';

describe('ApiError', () => {
  test('reads code, request id, fields and the waiting time of an answer', () => {
    const error = new ApiError(
      400,
      {
        code: 'invalid_argument',
        message: 'Wrong.',
        request_id: 'req_1',
        errors: [{ field: 'ns', code: 'x', message: 'No.' }],
      },
      new Headers({ 'Retry-After': '7' }),
    );
    expect(error).toMatchObject({ status: 400, code: 'invalid_argument', message: 'Wrong.', requestId: 'req_1' });
    expect(error.fields).toEqual([{ field: 'ns', code: 'x', message: 'No.' }]);
    expect(error.retryAfterSeconds).toBe(7);
  });

  test('has the request id of the header if the body has none', () => {
    expect(new ApiError(502, {}, new Headers({ 'X-Request-Id': 'req_2' })).requestId).toBe('req_2');
    expect(new ApiError(502, {}).requestId).toBeUndefined();
  });

  test.each([
    ['Not unlocked: POST /v1/domains/12/unlock', 'Not unlocked'],
    ['Read it: GET /v1/a', 'Read it'],
    ['See POST /v1/a for more', 'See POST /v1/a for more'],
    ['ns1.example is not valid NameServer: has no address', 'ns1.example: has no address'],
  ])('shows users "%s" as "%s", in the message and in fields', (message, shown) => {
    const error = new ApiError(400, { message, errors: [{ field: 'ns', code: 'x', message }] });
    expect(error.message).toBe(shown);
    expect(error.fields[0]?.message).toBe(shown);
  });

  test('leaves out the name that a field has in the API', () => {
    const errors = [{ field: 'domain_name', code: 'invalid', message: 'No name.' }];
    expect(new ApiError(400, { message: 'domain_name: No name.', errors }).message).toBe('No name.');
    expect(new ApiError(400, { message: 'Note: no name.', errors }).message).toBe('Note: no name.');
  });

  test.each([
    [{}, 'unreadable'],
    [{ code: 5, message: ['x'], request_id: 7, errors: 'none' }, 'unreadable'],
  ])('is complete for the unusual body %j', (body, code) => {
    expect(new ApiError(500, body)).toMatchObject({ code, message: '', fields: [] });
  });

  test.each(['Wed, 21 Oct 2026 07:28:00 GMT', 'soon'])('has no waiting time for Retry-After: %s', (text) => {
    expect(new ApiError(429, {}, new Headers({ 'Retry-After': text })).retryAfterSeconds).toBeUndefined();
  });

  // After a refusal, the next attempt is a new request. After any other error the same request is repeated.
  test.each([
    [400, 'invalid_argument', true],
    [402, 'insufficient_funds', true],
    [404, 'not_found', true],
    [409, 'conflict', true],
    [412, 'precondition_failed', true],
    [422, 'idempotency_mismatch', true],
    [409, 'idempotency_in_flight', false],
    [408, 'request_timeout', false],
    [429, 'rate_limited', false],
    [500, 'internal', false],
    [503, 'overloaded', false],
    [0, 'offline', false],
  ])('is a refusal with status %i and code %s: %s', (status, code, isRefusal) => {
    expect(new ApiError(status, { code }).isRefusal).toBe(isRefusal);
  });
});

describe('asApiError', () => {
  test('keeps an error of a call, and turns others into an error of the page', () => {
    const error = new ApiError(404, {});
    expect(asApiError(error)).toBe(error);
    expect(asApiError(new TypeError('x is undefined'))).toMatchObject({
      code: 'page_failed',
      message: 'x is undefined',
    });
    expect(asApiError('text')).toMatchObject({ code: 'page_failed', message: 'text' });
  });
});
