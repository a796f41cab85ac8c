// Loaded into every process that a command starts: when its parent is killed and cannot stop it, it stops by itself.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Nobody has to stay alive only to hear of that.
process.channel?.unref();
// Forks inherit the arguments, and a worker that waits for its parent's messages has to stay alive for them.
const own = process.execArgv.findIndex(argument => argument === __filename);
if (own > 0) {
  process.execArgv.splice(own - 1, 2);
}
