// As much of OpenAPI 3.1 as the description uses.

export type Ref = Readonly<{ $ref: string }>;
export type JsonSchema = Readonly<Record<string, unknown>>;
export type Example = Readonly<{ summary?: string; value: unknown }>;
export type MediaType = Readonly<{ schema: JsonSchema; examples?: Readonly<Record<string, Example>> }>;
export type Header = Readonly<{
  description: string;
  required: boolean;
  schema: JsonSchema;
  example: string | number;
}>;

export type Response = Readonly<{
  description: string;
  headers: Readonly<Record<string, Ref>>;
  content?: Readonly<Record<string, MediaType>>;
}>;

export type Parameter = Readonly<{
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: JsonSchema;
  style?: 'form';
  explode?: true;
  example?: unknown;
  examples?: Readonly<Record<string, Example>>;
}>;

export type Security = Readonly<Record<string, readonly string[]>>;

export type Operation = Readonly<{
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  security: readonly Security[];
  parameters: readonly Ref[];
  responses: Readonly<Record<string, Response | Ref>>;
}>;

export type Components = Readonly<{
  schemas: Readonly<Record<string, JsonSchema>>;
  parameters: Readonly<Record<string, Parameter>>;
  headers: Readonly<Record<string, Header>>;
  responses: Readonly<Record<string, Response>>;
  securitySchemes: Readonly<Record<string, JsonSchema>>;
}>;

export type OpenApiDocument = Readonly<{
  openapi: string;
  info: Readonly<{
    title: string;
    version: string;
    summary: string;
    description: string;
    license: Readonly<{ name: string; identifier: string }>;
  }>;
  servers: readonly Readonly<{ url: string; description: string }>[];
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<{ get: Operation }>>>;
  components: Components;
}>;

export function isRef(value: object): value is Ref {
  return '$ref' in value;
}
