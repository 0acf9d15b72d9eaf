import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { FIXED_CHOICES } from './choices';
import { registerControl } from './control/routes';
import { ServiceError } from './errors';
import type { Outcome } from './outcome';
import { handlerOf, renderError, UnreadableBody } from './pipeline';
import { ENDPOINTS } from './routes';
import type { Service } from './service';

/** Longest path segment that still reaches an endpoint (domains may have 253 characters). */
const SEGMENT_LENGTH = 2048;

/** Puts all endpoints, control and error handling on a Fastify server; listens to nothing yet. */
export function buildServer(service: Service): FastifyInstance {
  const app = Fastify({
    bodyLimit: FIXED_CHOICES.bodyBytes,
    exposeHeadRoutes: true,
    forceCloseConnections: true,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: SEGMENT_LENGTH },
    frameworkErrors: (error, request, reply) => {
      refuse(request, reply, error, service);
    },
  });
  app.server.on('connection', () => service.recorder.connected());
  readBodiesLate(app);
  for (const endpoint of ENDPOINTS) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: handlerOf(endpoint, service),
    });
  }
  registerControl(app, service);
  app.setNotFoundHandler((request, reply) =>
    refuse(
      request,
      reply,
      new ServiceError(404, 'not_found', 'There is no such endpoint.'),
      service,
    ),
  );
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(request, reply, error, service),
  );
  return app;
}

/**
 * Bodies that are not JSON are refused in the pipeline, after key and rate were checked, and not
 * by the parser, which runs before.
 */
function readBodiesLate(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') {
      done(null, undefined);
      return;
    }
    try {
      done(null, JSON.parse(text as string));
    } catch {
      done(null, new UnreadableBody(400, 'The body is not valid JSON.'));
    }
  });
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) =>
    done(
      null,
      text === ''
        ? undefined
        : new UnreadableBody(415, 'Send the body as Content-Type: application/json.'),
    ),
  );
}

/**
 * Answers what no endpoint handles: too large a body, an address that cannot be read or leads
 * nowhere. It is noted like any other request.
 */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: FastifyError | ServiceError,
  service: Service,
): FastifyReply {
  const outcome = renderError(asRefusal(error), service);
  service.recorder.end(service.recorder.begin(request.method, request.url, null), outcome.status);
  return send(reply, outcome);
}

function asRefusal(error: FastifyError | ServiceError): Error {
  if (error instanceof ServiceError) return error;
  const status = error.statusCode ?? 500;
  return status < 500 ? new ServiceError(status, 'invalid_request', error.message) : error;
}

function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  return reply.code(outcome.status).headers(outcome.headers).send(outcome.payload);
}
