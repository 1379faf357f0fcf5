/** Versions of all tools and libraries of the generators' test, as last tested. */
export const pins = {
  npm: {
    'openapi-typescript': '7.13.0',
    'openapi-fetch': '0.17.0',
    '@hey-api/openapi-ts': '0.99.0',
    typescript: '5.9.3',
    '@redocly/cli': '2.77.0',
    '@stoplight/spectral-cli': '6.16.3',
  },
  /** The last three are dependencies of openapi-generator's client that the other packages do not install. */
  python: {
    'openapi-python-client': '0.29.1',
    mypy: '2.4.1',
    urllib3: '2.6.0',
    pydantic: '2.14.4',
    'python-dateutil': '2.9.0.post0',
  },
  /** schemathesis needs Python 3.10 or later. */
  schemathesis: { schemathesis: '4.32.5' },
  go: {
    tool: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
    runtime: 'github.com/oapi-codegen/runtime@v1.8.0',
  },
  /** Runtimes that `@cairn/client` supports in addition to this project's Node. */
  runtimes: { 'node-18': '18.20.8', 'node-22': '22.23.3', deno: '2.9.6', bun: '1.4.5' },
  maven: 'org.openapitools:openapi-generator-cli:7.17.0',
} as const
