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

/** Maximum length of a path segment that reaches an endpoint (domains can have 253 characters). */
const SEGMENT_LENGTH = 2048;

/**
 * Creates a Fastify server with all endpoints, control routes and error handling. It does not
 * listen yet.
 */
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
 * Replaces Fastify's body parsers, which run before the pipeline. The pipeline can then reject
 * bodies that are not JSON after it has checked key and rate.
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
 * Responds to requests that no endpoint handles: a body that is too large, or an invalid or unknown
 * URL. Records them like all other requests.
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
