// Loaded into every service that a command starts: when the command is killed and cannot stop it, it stops by itself.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
