import type { ApiPaths } from 'backstage-plugin-argocd-fleet-common';

/** Path of an operation, as in `schema/openapi.yaml`. */
export type Path = keyof ApiPaths;

/** Methods of the API. */
export type Method = 'delete' | 'get' | 'post' | 'put';

type Operation<P extends Path, M extends Method> = NonNullable<ApiPaths[P][M]>;

type Json<T> = T extends {
  readonly content: { 'application/json': infer Body };
}
  ? Body
  : never;

/** A request that was validated against the document. */
export interface ApiRequest<P extends Path, M extends Method> {
  readonly params: Operation<P, M> extends {
    parameters: { path: infer Params };
  }
    ? Params
    : unknown;
  readonly query: Operation<P, M> extends {
    parameters: { query?: infer Query };
  }
    ? NonNullable<Query>
    : unknown;
  readonly body: Operation<P, M> extends { requestBody: infer Body }
    ? Json<Body>
    : unknown;
}

/** The JSON body of an operation's success response. */
export type ApiResponse<P extends Path, M extends Method> =
  Operation<P, M> extends { responses: { 200: infer Success } }
    ? Json<Success>
    : never;
