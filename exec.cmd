@rem The shell of npm scripts on Windows has no exec, which elsewhere lets a signal to npm reach the bot.
@%*
