// Installs the Python packages that the pages of docs/ use into the cache, about 600 MB, once:
//
//     node e2e/pages/main.ts
//
// `npm run test:all` runs the pages' Python code if the packages are installed. With REQUIRE_DOCS_PYTHON=1 it fails if they are
// not.

import { installPython } from './python.ts'

await installPython()
