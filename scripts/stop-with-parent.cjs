// Loaded into every process that a command starts: when its parent is killed and cannot stop it, it stops by itself.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Nobody has to stay alive only to hear of that.
process.channel?.unref();
