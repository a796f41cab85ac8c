import {
  coreServices,
  createServiceFactory,
  type BackendFeature,
  type LoggerService,
  type RootLoggerService,
} from '@backstage/backend-plugin-api';

/** Keeps everything that the backend logs. */
export interface CollectingLogger {
  readonly feature: BackendFeature;
  /** Messages and fields, one a line, since the start. */
  text(): string;
}

/** Creates the logger; nothing is printed. */
export function startCollectingLogger(): CollectingLogger {
  const lines: string[] = [];
  const collect = (message: string, meta?: unknown) => {
    // An Error has no enumerable fields of its own.
    const more =
      meta instanceof Error
        ? `${meta.stack} ${String((meta as { cause?: unknown }).cause)}`
        : JSON.stringify(meta);
    lines.push(`${message} ${more ?? ''}`);
  };
  const logger: LoggerService = {
    error: collect,
    warn: collect,
    info: collect,
    debug: collect,
    child: () => logger,
  };
  return {
    feature: createServiceFactory({
      service: coreServices.rootLogger,
      deps: {},
      factory: () => logger as RootLoggerService,
    }),
    text: () => lines.join('\n'),
  };
}
