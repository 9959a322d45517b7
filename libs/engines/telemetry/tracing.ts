import { context, propagation, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import type { IncomingMessage } from 'node:http';

/** Every span is a no-op until `startTracing` registers a provider. */
const tracer = (): Tracer => trace.getTracer('assent');
let active = false;

/**
 * Sends traces by OTLP over HTTP where the standard variable OTEL_EXPORTER_OTLP_ENDPOINT (or …_TRACES_ENDPOINT) is set;
 * the SDK reads the other OTEL_* variables itself, and is loaded only then. Resolves with a function that flushes and
 * ends it.
 */
export async function startTracing(
  env: Readonly<Record<string, string | undefined>>,
  role: string,
): Promise<() => Promise<void>> {
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT'] && !env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) return async () => undefined;
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  process.env['OTEL_SERVICE_NAME'] ??= `assent-${role}`;
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
  provider.register();
  active = true;
  return async () => {
    active = false;
    await provider.shutdown();
  };
}

/** Runs one request inside a span that continues the caller's trace. Named when the operation is known. */
export function tracedRequest(req: IncomingMessage, next: () => void): Span | null {
  if (!active) {
    next();
    return null;
  }
  const parent = propagation.extract(context.active(), req.headers);
  const span = tracer().startSpan(
    `${req.method ?? 'GET'}`,
    { kind: SpanKind.SERVER, attributes: { 'assent.request_id': req.requestId ?? '' } },
    parent,
  );
  context.with(trace.setSpan(parent, span), next);
  return span;
}

export function endSpan(span: Span, operation: string, status: number): void {
  span.updateName(operation);
  span.setAttributes({ 'http.response.status_code': status });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** One step inside a request. Attributes never hold a stream name or anything of a body. */
export function traced<T>(
  name: string,
  attributes: Record<string, number | string>,
  work: () => Promise<T>,
): Promise<T> {
  if (!active) return work();
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  });
}
