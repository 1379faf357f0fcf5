// Installs the Python packages that the pages of docs/ use into the cache, about 600 MB, once:
//
//     node e2e/pages/main.ts
//
// `npm test` runs the Python of the pages where they are installed, and with REQUIRE_DOCS_PYTHON=1 fails where they are not.

import { installPython } from './python.ts'

await installPython()
