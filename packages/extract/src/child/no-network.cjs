// Removes network access; loaded before any other code in the process that reads files, and in each of its threads.
// Parsers need no network, and a file must not fetch or send data through a library. Plain JavaScript, because
// types would be stripped again in each thread.
//
// Removes only what JavaScript can call. Native code could still open a socket, but Node loads none in this process,
// which starts without permission for addons, child processes and internal bindings.
'use strict'

const { constants } = require('node:os')
const { sep } = require('node:path')
const { syncBuiltinESMExports } = require('node:module')
const workers = require('node:worker_threads')

const refuse = (what) =>
  function refused() {
    throw Object.assign(new Error(`${what} is not available where files are read`), { code: 'ERR_ACCESS_DENIED' })
  }

const take = (holder, what, names) => {
  for (const name of names) {
    if (name in holder) {
      // Redefining a global that Node loads on first use would load it, which costs each process 10 MB.
      delete holder[name]
      Object.defineProperty(holder, name, {
        value: refuse(what),
        writable: false,
        configurable: false,
        enumerable: true,
      })
    }
  }
}

const functionsOf = (module) =>
  Object.keys(module).filter((name) => typeof module[name] === 'function' && !/^[A-Z]/.test(name))

// HTTP/2 connects through these modules. Loading it to remove its own functions would cost each process and thread 12 MB.
const net = require('node:net')
const tls = require('node:tls')
const dgram = require('node:dgram')
const dns = require('node:dns')

take(net, 'the network', ['connect', 'createConnection', 'createServer'])
take(net.Socket.prototype, 'the network', ['connect'])
take(net.Server.prototype, 'the network', ['listen'])
take(tls, 'the network', ['connect', 'createServer', 'TLSSocket'])
take(dgram, 'the network', ['createSocket', 'Socket'])
take(dns, 'the network', functionsOf(dns))
take(dns, 'the network', ['Resolver'])
take(dns.promises, 'the network', functionsOf(dns.promises))
take(dns.promises, 'the network', ['Resolver'])
for (const name of ['node:http', 'node:https']) {
  take(require(name), 'the network', ['request', 'get', 'createServer', 'ClientRequest'])
}
take(globalThis, 'the network', ['fetch', 'WebSocket', 'EventSource'])
const { _kill: kill } = process
take(process, 'another process', ['kill', '_kill', '_debugProcess'])
/** Ends this process at once, whatever its threads are doing. */
Object.defineProperty(process, 'endNow', { value: () => kill.call(process, process.pid, constants.signals.SIGKILL) })

// A thread with its own arguments escapes the permissions of its process. OCR needs one thread, without arguments.
const ocrThread = `${sep}node_modules${sep}tesseract.js${sep}src${sep}worker-script${sep}node${sep}index.js`
const { Worker, isMainThread } = workers
workers.Worker = class extends Worker {
  constructor(file) {
    if (!isMainThread || typeof file !== 'string' || !file.endsWith(ocrThread)) refuse('a thread')()
    super(file)
  }
}
Object.defineProperty(workers, 'Worker', { writable: false, configurable: false })

syncBuiltinESMExports()
