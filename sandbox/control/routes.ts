import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { KEYS, type KeyName } from '../accounts';
import type { Service } from '../service';
import { choicesSchema } from '../choices';
import { faultRequestSchema } from '../faults/store';
import { LIMITS } from '../limits';

const keyChangeSchema = z
  .strictObject({
    credits: z.int().min(0),
    batchCeiling: z.int().min(1).max(LIMITS.batch),
    requestsPerMinute: z.int().min(1),
    requestsPerDay: z.int().min(1),
  })
  .partial();

/** Properties of a key that tests can change. */
export type KeyChange = z.output<typeof keyChangeSchema>;

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

class ControlError extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** Returns every key with its credits and limits, for people and for tests in other processes. */
function describeKeys(service: Service) {
  return service.listAccounts().map((account) => ({
    ...account,
    credits: service.ledger.balanceOf(account.organizationId),
  }));
}

/**
 * Changes the credits and limits of a key.
 *
 * @throws Error if no key has that name
 */
export function changeKey(service: Service, name: KeyName, change: KeyChange): void {
  const account = service.accountOf(KEYS[name]);
  if (account === undefined) throw new Error(`There is no key named ${name}.`);
  const { credits, ...limits } = change;
  Object.assign(account, limits);
  if (credits !== undefined) service.ledger.setBalance(account.organizationId, credits);
}

/**
 * Registers `/__control`, which gives tests in other processes what the API lacks. It accepts only
 * callers on this machine, and needs no key.
 */
export function registerControl(app: FastifyInstance, service: Service): void {
  app.register(
    (control, _options, done) => {
      control.addHook('onRequest', (request, _reply, next) => {
        const local = LOOPBACK.has(request.ip);
        next(local ? undefined : new ControlError(403, 'Control is for this machine only.'));
      });
      control.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
        reply.code(error.statusCode ?? 500).send({ error: error.message }),
      );

      control.get('/report', () => ({
        ...service.recorder.report(),
        violations: service.violations,
      }));
      control.post('/reset', () => {
        service.reset();
        return { reset: true };
      });

      control.get('/faults', () => service.faults.list());
      control.post('/faults', (request, reply) =>
        reply.code(201).send(service.faults.add(read(faultRequestSchema, request.body))),
      );
      control.delete('/faults', () => {
        service.faults.clear();
        return { cleared: true };
      });
      control.delete<{ Params: { id: string } }>('/faults/:id', (request) => {
        service.faults.clear(Number(request.params.id));
        return { cleared: true };
      });

      control.get('/flags', () => service.flags.list());

      control.get('/keys', () => describeKeys(service));
      control.patch<{ Params: { name: string } }>('/keys/:name', (request) => {
        const { name } = request.params;
        if (!isKeyName(name)) throw new ControlError(404, `There is no key named ${name}.`);
        changeKey(service, name, read(keyChangeSchema, request.body));
        return describeKeys(service).find((key) => key.name === name);
      });

      control.put('/latency', (request) => {
        service.latencyMs = read(z.strictObject({ ms: z.number().min(0) }), request.body).ms;
        return { ms: service.latencyMs };
      });
      control.get('/choices', () => service.choices);
      control.patch('/choices', (request) => {
        service.choices = { ...service.choices, ...read(choicesSchema.partial(), request.body) };
        return service.choices;
      });
      control.post('/clock', (request) => {
        const { seconds } = read(z.strictObject({ seconds: z.number().min(0) }), request.body);
        service.clock.advance(seconds * 1000);
        return { now: new Date(service.clock.now()).toISOString() };
      });
      done();
    },
    { prefix: '/__control' },
  );
}

function isKeyName(name: string): name is KeyName {
  return Object.hasOwn(KEYS, name);
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ControlError(400, z.prettifyError(parsed.error));
  return parsed.data;
}
