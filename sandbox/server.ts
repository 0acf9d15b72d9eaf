import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { FIXED_CHOICES } from './choices';
import { registerControl, withStatus } from './control';
import { ServiceError } from './errors';
import { handlerOf, renderError } from './pipeline';
import { ENDPOINTS } from './routes';
import type { Running } from './service';

/** Maximum length of a path segment that reaches an endpoint (domains can have 253 characters). */
const SEGMENT_LENGTH = 2048;

/**
 * Creates a Fastify server with all endpoints, control routes and error handling. It does not
 * listen yet.
 */
export function buildServer(running: Running): FastifyInstance {
  /** Responds to a request that no endpoint handles, and records it like all others. */
  const refuse = (
    error: Error & { statusCode?: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply => {
    const { service } = running;
    const status = error.statusCode ?? 500;
    const refusal =
      status < 500 ? new ServiceError(status, 'invalid_request', error.message) : error;
    const outcome = renderError(refusal, service);
    service.recorder.end(service.recorder.begin(request.method, request.url), outcome.status);
    return reply.code(outcome.status).headers(outcome.headers).send(outcome.payload);
  };
  const app = Fastify({
    bodyLimit: FIXED_CHOICES.bodyBytes,
    forceCloseConnections: true,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: SEGMENT_LENGTH },
    frameworkErrors: (error, request, reply) => {
      refuse(error, request, reply);
    },
  });
  app.server.on('connection', () => {
    running.service.recorder.connections += 1;
  });
  readBodies(app);
  for (const endpoint of ENDPOINTS) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: handlerOf(endpoint, running),
    });
  }
  registerControl(app, running);
  app.setNotFoundHandler((request, reply) =>
    refuse(withStatus(404, 'There is no such endpoint.'), request, reply),
  );
  app.setErrorHandler(refuse);
  return app;
}

/** Reads JSON bodies. An empty body counts as none, whatever its type. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') {
      done(null, undefined);
    } else if (!request.headers['content-type']?.startsWith('application/json')) {
      done(withStatus(415, 'Send the body as Content-Type: application/json.'));
    } else {
      try {
        done(null, JSON.parse(text as string));
      } catch {
        done(withStatus(400, 'The body is not valid JSON.'));
      }
    }
  });
}
