// The only file that loads the driver of SQLite.
import Sqlite from 'better-sqlite3';

export default Sqlite;
