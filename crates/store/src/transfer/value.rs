//! One value of a row, as SQLite keeps it and as PostgreSQL takes it.

use std::error::Error;

use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// A value. A truth is a number, as in SQLite.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    /// As SQLite has it; a text without the one character that PostgreSQL's cannot hold.
    pub(super) fn stored(value: ValueRef<'_>) -> rusqlite::Result<Self> {
        Ok(match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(_) => Self::Text(crate::postgres::text(value.as_str()?).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        })
    }

    /// As PostgreSQL has it in this column.
    pub(super) fn copied(row: &Row, column: usize) -> Result<Self, tokio_postgres::Error> {
        let kind = row.columns()[column].type_();
        Ok(if *kind == Type::INT8 {
            row.try_get::<_, Option<i64>>(column)?.map_or(Self::Null, Self::Integer)
        } else if *kind == Type::BOOL {
            let truth = row.try_get::<_, Option<bool>>(column)?;
            truth.map_or(Self::Null, |truth| Self::Integer(i64::from(truth)))
        } else if *kind == Type::FLOAT8 {
            row.try_get::<_, Option<f64>>(column)?.map_or(Self::Null, Self::Real)
        } else if *kind == Type::BYTEA {
            row.try_get::<_, Option<Vec<u8>>>(column)?.map_or(Self::Null, Self::Bytes)
        } else {
            row.try_get::<_, Option<String>>(column)?.map_or(Self::Null, Self::Text)
        })
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) if *kind == Type::BOOL => (*number != 0).to_sql(kind, out),
            Self::Integer(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::BOOL, Type::FLOAT8, Type::TEXT, Type::BYTEA].contains(kind)
    }

    to_sql_checked!();
}
