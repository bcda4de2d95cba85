/** Loaded into a process whose memory is measured: garbage that is not collected yet would count as somebody's. */
require('node:v8').setFlagsFromString('--expose-gc')
setInterval(require('node:vm').runInNewContext('gc'), 300).unref()
