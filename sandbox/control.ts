import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { KEYS, type KeyName } from './accounts';
import { choicesSchema } from './choices';
import { faultRequestSchema } from './faults/store';
import { LIMITS } from './limits';
import type { Running } from './service';

const keyChangeSchema = z
  .strictObject({
    credits: z.int().min(0),
    batchCeiling: z.int().min(1).max(LIMITS.batch),
    requestsPerMinute: z.int().min(1),
    requestsPerDay: z.int().min(1),
  })
  .partial();

/** An error with the status of its response. */
export function withStatus(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

/** Registers `/__control`, which gives tests in other processes what the API lacks, without a key. */
export function registerControl(app: FastifyInstance, running: Running): void {
  app.register(
    (control, _options, done) => {
      control.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
        reply.code(error.statusCode ?? 500).send({ error: error.message }),
      );

      control.get('/report', () => ({
        ...running.service.recorder.report(),
        violations: running.service.violations,
      }));
      control.post('/reset', () => {
        running.reset();
        return { reset: true };
      });
      control.get('/flags', () => running.service.flags);
      control.post('/faults', (request, reply) => {
        running.service.faults.add(read(faultRequestSchema, request.body));
        return reply.code(201).send({ added: true });
      });
      control.patch<{ Params: { name: string } }>('/keys/:name', (request) => {
        const { name } = request.params;
        if (!isKeyName(name)) throw withStatus(404, `There is no key named ${name}.`);
        running.service.changeKey(name, read(keyChangeSchema, request.body));
        return { ...running.service.accountOf(name), credits: running.service.creditsOf(name) };
      });
      control.put('/latency', (request) => {
        const { ms } = read(z.strictObject({ ms: z.number().min(0) }), request.body);
        running.service.latencyMs = ms;
        return { ms };
      });
      control.patch('/choices', (request) =>
        Object.assign(running.service.choices, read(choicesSchema.partial(), request.body)),
      );
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
  if (!parsed.success) throw withStatus(400, z.prettifyError(parsed.error));
  return parsed.data;
}
