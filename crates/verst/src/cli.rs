//! What can be typed. The help is written to be read from top to bottom by someone new.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::backup::{Backup, Restore};
use crate::downloads::args::{Add, Choose, Downloads};
use crate::manage::{Again, Delete, TelegramCommand, TokenCommand, UserCommand};
use crate::models::args::Models;

/// Turns recordings into searchable text on your own machine.
#[derive(Parser)]
#[command(
    name = "verst",
    version,
    about,
    long_about = "Turns recordings into text on your own machine.\n\n\
        A recording travels uploaded -> normalized -> submitted -> transcribed -> done. Each \
        milestone is kept, so whatever interrupts the way, running the command again goes on \
        from the last one.",
    after_help = "Start here:\n  verst doctor                    is everything there?\n  \
        verst transcribe talk.ogg       the text on standard output\n  \
        verst transcribe *.m4a --format srt --output subtitles/\n  \
        verst transcribe                go on with whatever is unfinished\n  \
        verst serve                     work until told to stop\n  \
        verst submit talk.ogg           hand in to whoever serves\n  \
        verst list                      what there is and where it stands",
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Language of messages: en or ru [default: from the locale]
    #[arg(long, global = true, env = "VERST_LANG", value_name = "LANG")]
    pub(crate) lang: Option<String>,
    /// What to log on standard error, as in "info" or "warn,verst_runtime=debug" [default: off;
    /// for serve: "warn,verst=info"]
    #[arg(long, global = true, env = "VERST_LOG", value_name = "FILTER")]
    pub(crate) log: Option<String>,
    /// How to log
    #[arg(long, global = true, env = "VERST_LOG_FORMAT", default_value = "pretty")]
    pub(crate) log_format: LogFormat,
}

impl Cli {
    /// What is logged: by a service that nobody watches, what happens; else nothing.
    pub(crate) fn log_filter(&self) -> &str {
        let served = matches!(self.command, Command::Serve(_));
        self.log.as_deref().unwrap_or(if served { "warn,verst=info" } else { "off" })
    }
}

/// The form of log records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Pretty,
    /// One JSON object a line.
    Json,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Transcribe files and print their text
    ///
    /// The text goes to standard output and nothing else does; progress and messages go to
    /// standard error.
    ///
    /// Run the same command again after an interruption and it goes on from where it was: finished
    /// parts are not recognised twice, and a file that is done already is answered at once.
    ///
    /// Exit codes: 0 all files have their text, 1 some have not, 2 wrong usage, 3 something needed
    /// is missing, 129, 130 or 143 interrupted by a signal.
    Transcribe(Transcribe),
    /// Work until told to stop: the service
    ///
    /// Takes up whatever was handed in with “verst submit” and carries it to its text. SIGTERM and
    /// Ctrl-C end it in order: what is under way is given back or goes on at the next start.
    ///
    /// Several hosts work together when they share a database (setting “database”) and audio
    /// (setting “objects”).
    Serve(Place),
    /// Hand files in and return; “verst serve” does the work
    ///
    /// Prints a line for each: its number, a tab, the file. Exit codes: 0 all were taken in, 1 some
    /// were not, 2 wrong usage, 3 something needed is missing, 129, 130 or 143 interrupted.
    Submit(Submit),
    /// Download magnets and torrents; “verst serve” does the work
    ///
    /// Prints a line for each: its number, a tab, its name. What is there already is not downloaded a
    /// second time.
    Add(Add),
    /// List downloads, newest first; “verst list” lists recordings
    Downloads(Downloads),
    /// Let a download or recording that was given up go on
    ///
    /// A torrent that is well goes on as it is; one that is broken or gone is added again. A recording
    /// goes on from where it stood, as “verst lift” has it.
    Retry(Which),
    /// Say what a download is, where its names do not; shows the candidates if nothing is said
    Choose(Choose),
    /// Take a download back out of the library; what was downloaded stays
    Unplace(Which),
    /// List recordings, newest first; “verst downloads” lists downloads
    List(List),
    /// Show one recording or download: state, journal, text or files
    Show(Show),
    /// Stop a recording or a download where it stands; nothing is lost
    Stop(Which),
    /// Lift a stop, so that the recording or download goes on from where it stood
    Lift(Lift),
    /// Give a recording a title
    Rename(Rename),
    /// Transcribe a recording once more, with another model or in another language
    Again(Again),
    /// Delete a recording for good: audio, text and journal; or forget a download
    Delete(Delete),
    /// Accounts: who may sign in with a password
    User {
        /// What to do
        #[command(subcommand)]
        what: UserCommand,
    },
    /// Make, list or revoke tokens: who may come in over HTTP
    Token {
        /// What to do
        #[command(subcommand)]
        what: TokenCommand,
    },
    /// Link chats of the bot in Telegram to accounts
    Telegram {
        /// What to do
        #[command(subcommand)]
        what: TelegramCommand,
    },
    /// Speech models: list, pull, remove, use
    Models {
        /// What to do
        #[command(subcommand)]
        what: Models,
    },
    /// Check that everything Verst needs is there, and say what to do if not
    Doctor(crate::doctor::Doctor),
    /// Ask the running service whether it is well; the exit code says it
    Health(Place),
    /// Check the settings, or show which hold and why
    Config {
        /// What to do
        #[command(subcommand)]
        what: Config,
    },
    /// Try out the webhook of the settings
    Webhook {
        /// What to do
        #[command(subcommand)]
        what: crate::webhook::Hook,
    },
    /// Bring the database up to date
    ///
    /// “verst serve” and “verst transcribe” do the same when they start. With several hosts, stop
    /// all of them first.
    Migrate(Place),
    /// Copy the database from the data directory to the PostgreSQL server of the settings
    ///
    /// Stop Verst, name the server under “database” in the settings, run this, start Verst. Every
    /// row is compared before anything is kept, and the file is left as it is.
    CopyDatabase(Place),
    /// Write everything, database and audio, into one file; Verst may be working
    ///
    /// The file is read back and compared before it gets its name, is readable for your account
    /// alone, and never overwrites another. Settings and models are not in it.
    Backup(Backup),
    /// Make an installation of a backup
    ///
    /// Goes into the data directory, or to the database and the audio that the settings name. Nothing
    /// is written before all of the backup was read and found to be right.
    Restore(Restore),
    /// Print a completion script: verst completions bash > ~/.local/share/bash-completion/completions/verst
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page: verst manual > verst.1
    Manual,
    /// The recogniser's process; started by Verst itself
    #[command(hide = true)]
    Engine,
    /// A generated page of the documentation
    #[command(hide = true)]
    Docs {
        /// Which page
        page: Page,
    },
}

/// What is done with the settings.
#[derive(Subcommand)]
pub(crate) enum Config {
    /// Whether they can be used; nothing else is looked at
    Check(Place),
    /// Every key with its value and where that comes from; secrets are not shown
    Show(Place),
}

/// Where the installation is.
#[derive(Args, Clone)]
pub(crate) struct Place {
    /// Data directory [default: ~/.local/share/verst]
    #[arg(long, env = "VERST_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Settings file [default: verst.toml in the data directory]
    #[arg(long, env = "VERST_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Transcribe {
    /// Audio or video files, - for standard input; none goes on with what is unfinished
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Language spoken, as a two-letter code [default: detected]
    #[arg(long, short, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// Form of the text
    #[arg(long, short, default_value = "txt")]
    pub(crate) format: Form,
    /// File for the text, or a directory for one file each [default: standard output]
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Speech model: a name that “verst models list” shows, a file's name, or a path
    #[arg(long, short, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct Submit {
    /// Audio or video files, - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Language spoken, as a two-letter code [default: detected]
    #[arg(long, short, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// Speech model: a name that “verst models list” shows, a file's name, or a path
    #[arg(long, short, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Forms of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A line per segment
    Txt,
    /// SubRip subtitles
    Srt,
    /// WebVTT subtitles
    Vtt,
    /// Everything, with times
    Json,
    /// Markdown: title, summary, text by speaker
    Md,
    /// The same as a document of Word
    Docx,
}

#[derive(Args)]
pub(crate) struct Show {
    /// Number of the recording or download, as listed
    pub(crate) id: i64,
    /// Only the recording's text, in this form
    #[arg(long, short)]
    pub(crate) format: Option<Form>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct List {
    /// Only those in which all of these words are, in any form; “word*” stands for any ending
    #[arg(long, short, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    #[command(flatten)]
    pub(crate) pages: Pages,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Which of many are listed.
#[derive(Args)]
pub(crate) struct Pages {
    /// Only those that are neither done nor stopped
    #[arg(long)]
    pub(crate) moving: bool,
    /// Only those older than this one
    #[arg(long, value_name = "ID")]
    pub(crate) before: Option<i64>,
    /// At most so many
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
}

#[derive(Args)]
pub(crate) struct Which {
    /// Number of the recording or download, as listed
    pub(crate) id: i64,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct Lift {
    /// Number of the recording or download, as listed
    pub(crate) id: i64,
    /// Begin a new recognition, which a provider may charge for again
    #[arg(long, conflicts_with = "keep_waiting")]
    pub(crate) submit_again: bool,
    /// Wait for the recognition that was begun
    #[arg(long)]
    pub(crate) keep_waiting: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct Rename {
    /// Number of the recording, as listed
    pub(crate) id: i64,
    /// The title; an empty one removes it
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Generated pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Page {
    /// The settings reference
    Configure,
    /// The milestones of every line
    Milestones,
    /// The description of the interface over HTTP
    Openapi,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
