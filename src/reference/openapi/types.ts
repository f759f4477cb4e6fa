// OpenAPI 3.1 types, with the parts that this document always has made required.
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';

export type Ref = OpenApi.ReferenceObject;
export type JsonSchema = OpenApi.SchemaObject;
type Examples = Record<string, OpenApi.ExampleObject>;
/** The library types parameters with the schemas of OpenAPI 3.0. */
export type Parameter = Omit<OpenApi.ParameterObject, 'description' | 'schema' | 'examples'> & {
  description: string;
  schema: JsonSchema;
  examples?: Examples;
};

export type Response = {
  description: string;
  headers: Record<string, Ref>;
  content?: Record<string, { schema: JsonSchema | Ref; examples?: Examples }>;
};

export type Operation = Required<
  Pick<OpenApi.OperationObject, 'operationId' | 'tags' | 'summary' | 'description' | 'security'>
> & { parameters: Ref[]; responses: Record<string, Response | Ref> };

export type OpenApiDocument = Required<Pick<OpenApi.Document, 'openapi' | 'servers'>> & {
  info: Required<Pick<OpenApi.InfoObject, 'title' | 'version' | 'summary' | 'description' | 'license'>>;
  tags: { name: string; description: string }[];
  paths: Record<string, { get: Operation; head: Operation }>;
  components: Required<Pick<OpenApi.ComponentsObject, 'schemas' | 'securitySchemes'>> & {
    parameters: Record<string, Parameter>;
    headers: Record<string, OpenApi.HeaderObject>;
    responses: Record<string, Response>;
  };
};

export function refName({ $ref }: Ref): string {
  return $ref.split('/').at(-1) as string;
}

export function isRef(value: object): value is Ref {
  return '$ref' in value;
}
