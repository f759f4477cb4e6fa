// OpenAPI 3.1 types, with the parts that this document always has made required.
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';

type With<T, K extends keyof T> = T & Required<Pick<T, K>>;

export type Ref = OpenApi.ReferenceObject;
export type JsonSchema = OpenApi.SchemaObject;
export type Example = OpenApi.ExampleObject;
export type MediaType = { schema: JsonSchema | Ref; examples?: Record<string, Example> };
export type Header = OpenApi.HeaderObject;
/** The library types parameters with the schemas of OpenAPI 3.0. */
export type Parameter = Omit<OpenApi.ParameterObject, 'description' | 'schema' | 'examples'> & {
  description: string;
  schema: JsonSchema;
  examples?: Record<string, Example>;
};

export type Response = {
  description: string;
  headers: Record<string, Ref>;
  content?: Record<string, MediaType>;
};

export type Operation = Required<
  Pick<OpenApi.OperationObject, 'operationId' | 'tags' | 'summary' | 'description' | 'security'>
> & { parameters: Ref[]; responses: Record<string, Response | Ref> };

export type OpenApiDocument = Required<Pick<OpenApi.Document, 'openapi' | 'servers'>> & {
  info: With<OpenApi.InfoObject, 'summary' | 'description'>;
  tags: With<OpenApi.TagObject, 'description'>[];
  paths: Record<string, { get: Operation; head: Operation }>;
  components: Required<Pick<OpenApi.ComponentsObject, 'schemas' | 'securitySchemes'>> & {
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
  };
};

export function refName({ $ref }: Ref): string {
  return $ref.split('/').at(-1) as string;
}

export function isRef(value: object): value is Ref {
  return '$ref' in value;
}
