import type { ServerOptions as TlsOptions } from 'node:https';

import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

import type { ServiceRequest } from './types.mts';

const BODY_LIMIT_BYTES = 100 * 1024 * 1024;

/** A body as our parsers leave it: the service, not fastify, answers what is wrong with it. */
type ParsedBody = Pick<ServiceRequest, 'body' | 'rawBodyInvalid'>;

function parsedJson(text: string): ParsedBody {
	if (text.trim() === '') return {};
	try {
		return { body: JSON.parse(text) };
	} catch {
		return { rawBodyInvalid: true };
	}
}

export interface ServiceRoute {
	Params: { '*': string };
	Querystring: Record<string, string | string[] | undefined>;
	Body: ParsedBody | undefined;
}

/** A fastify that hands bodies on unjudged, and whose `close` ends all connections. */
export function createApp(tls: Pick<TlsOptions, 'key' | 'cert'> | undefined): FastifyInstance {
	const options = { bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true };
	const app: FastifyInstance = tls ? Fastify({ ...options, https: tls }) : Fastify(options);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'string' },
		(_request, text: string, done) => done(null, parsedJson(text)),
	);
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text: string, done) => {
		done(null, { rawBodyInvalid: text !== '' });
	});
	return app;
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

function firstOfEach(values: Record<string, string | string[] | undefined>) {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, first(value)]));
}

/** The request as the service takes it. */
export function toServiceRequest({
	method,
	params,
	query,
	headers,
	body,
}: FastifyRequest<ServiceRoute>): ServiceRequest {
	return {
		method,
		path: `/${params['*']}`,
		query: firstOfEach(query),
		headers: firstOfEach(headers),
		...body,
	};
}
