/** Loaded into a process whose memory is measured: garbage that is not collected yet would count as somebody's. SIGUSR2 asks for it. */
require('node:v8').setFlagsFromString('--expose-gc')
process.on('SIGUSR2', require('node:vm').runInNewContext('gc'))
