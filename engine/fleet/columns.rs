//! Tables as Arrow files: written whole, read where they lie in a mapped file, and open to any tool that reads Arrow.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::root_as_footer;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bytes::Bytes;
use error::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

/// Bytes behind the footer of an Arrow file: its length and the magic word.
const TRAILER: usize = 10;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Numbers of 64 bits: keys, times.
    Long,
    /// Numbers of 32 bits: nodes, lines, counts.
    Int,
    /// Texts.
    Text,
}

/// A table: its name and its columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    /// The name of its file, without `.arrow`.
    pub name: &'static str,
    /// Name and kind of each column.
    pub columns: &'static [(&'static str, Kind)],
}

impl Table {
    fn schema(&self) -> Schema {
        let field = |(name, kind): &(&str, Kind)| {
            let data = match kind {
                Kind::Long => DataType::UInt64,
                Kind::Int => DataType::UInt32,
                Kind::Text => DataType::Utf8,
            };
            Field::new(*name, data, false)
        };
        Schema::new(self.columns.iter().map(field).collect::<Vec<_>>())
    }

    /// The name of its file.
    pub(crate) fn file(&self) -> String {
        format!("{}.arrow", self.name)
    }
}

/// One value of a row that is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    /// Of a [`Kind::Long`].
    Long(u64),
    /// Of a [`Kind::Int`].
    Int(u32),
    /// Of a [`Kind::Text`].
    Text(&'a str),
}

/// A column that is being written.
enum Growing {
    Long(Vec<u64>),
    Int(Vec<u32>),
    Text(Vec<u8>, Vec<i32>),
}

/// A table that is being written.
pub(crate) struct Writer {
    table: Table,
    columns: Vec<Growing>,
    n_rows: usize,
}

impl Writer {
    /// For the rows of a table.
    pub(crate) fn new(table: Table) -> Self {
        let column = |(_, kind): &(&str, Kind)| match kind {
            Kind::Long => Growing::Long(Vec::new()),
            Kind::Int => Growing::Int(Vec::new()),
            Kind::Text => Growing::Text(Vec::new(), vec![0]),
        };
        Self { table, columns: table.columns.iter().map(column).collect(), n_rows: 0 }
    }

    /// Adds a row: one value for each column, of its kind.
    pub(crate) fn push(&mut self, row: &[Value<'_>]) {
        debug_assert_eq!(row.len(), self.columns.len(), "a row of `{}` has a value for each column", self.table.name);
        for (column, value) in self.columns.iter_mut().zip(row) {
            match (column, value) {
                (Growing::Long(values), Value::Long(value)) => values.push(*value),
                (Growing::Int(values), Value::Int(value)) => values.push(*value),
                (Growing::Text(text, ends), Value::Text(value)) => {
                    text.extend(value.as_bytes());
                    ends.push(i32::try_from(text.len()).unwrap_or(i32::MAX));
                }
                _ => debug_assert!(false, "a value of `{}` is of another kind than its column", self.table.name),
            }
        }
        self.n_rows += 1;
    }

    /// Writes the table into a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where it cannot be written, or a column of texts is longer than two gigabytes.
    pub(crate) fn write(self, folder: &Path) -> Result<()> {
        let name = self.table.file();
        self.write_as(folder, &name)
    }

    /// The same, into a file of that name.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub(crate) fn write_as(self, folder: &Path, name: &str) -> Result<()> {
        let path = folder.join(name);
        let failed =
            |error: ArrowError| Error::new(ErrorKind::Storage, format!("cannot write the table `{}`: {error}", path.display()));
        let schema = Arc::new(self.table.schema());
        let arrays = self.columns.into_iter().map(|column| -> std::result::Result<ArrayRef, ArrowError> {
            Ok(match column {
                Growing::Long(values) => Arc::new(UInt64Array::from(values)),
                Growing::Int(values) => Arc::new(UInt32Array::from(values)),
                Growing::Text(text, ends) => {
                    if i32::try_from(text.len()).is_err() {
                        return Err(ArrowError::InvalidArgumentError("its texts are longer than two gigabytes".to_owned()));
                    }
                    let offsets = arrow_buffer::OffsetBuffer::new(ends.into());
                    Arc::new(StringArray::try_new(offsets, Buffer::from_vec(text), None)?)
                }
            })
        });
        let arrays = arrays.collect::<std::result::Result<Vec<_>, _>>().map_err(failed)?;
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(failed)?;
        let file = File::create(&path).map_err(|error| failed(error.into()))?;
        let mut writer = FileWriter::try_new(BufWriter::new(file), &schema).map_err(failed)?;
        writer.write(&batch).and_then(|()| writer.finish()).map_err(failed)
    }
}

/// A table that was written.
#[derive(Clone)]
pub(crate) struct Rows {
    batch: RecordBatch,
}

impl Rows {
    /// Opens the file of a table in a folder. Nothing but its ends is read before it is asked for; texts are checked.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where there is no such file, or it is not this table.
    pub(crate) fn open(table: Table, folder: &Path) -> Result<Self> {
        Self::open_as(table, folder, &table.file())
    }

    /// The same of a file of that name.
    ///
    /// # Errors
    ///
    /// As [`Rows::open`].
    pub(crate) fn open_as(table: Table, folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(name);
        let failed = |why: String| {
            Error::new(
                ErrorKind::Storage,
                format!("cannot read the table `{}`: {why}; `activate fleet sync` makes it again", path.display()),
            )
        };
        let file = File::open(&path).map_err(|error| failed(error.to_string()))?;
        let map = cache::map(&file).map_err(|error| failed(error.to_string()))?;
        let batch = batch(&Buffer::from(Bytes::from_owner(map))).map_err(|error| failed(error.to_string()))?;
        if batch.schema().fields() != table.schema().fields() {
            return Err(failed("its columns are others".to_owned()));
        }
        Ok(Self { batch })
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.batch.num_rows()
    }

    /// The numbers of a column of [`Kind::Long`]; none of another.
    pub(crate) fn longs(&self, column: usize) -> &[u64] {
        let values = self.batch.columns().get(column).and_then(|values| values.as_primitive_opt::<UInt64Type>());
        values.map_or(&[], |values| values.values())
    }

    /// The numbers of a column of [`Kind::Int`]; none of another.
    pub(crate) fn ints(&self, column: usize) -> &[u32] {
        let values = self.batch.columns().get(column).and_then(|values| values.as_primitive_opt::<UInt32Type>());
        values.map_or(&[], |values| values.values())
    }

    /// A text of a column of [`Kind::Text`]; none of another.
    pub(crate) fn text(&self, column: usize, row: usize) -> &str {
        let texts = self.batch.columns().get(column).and_then(|texts| texts.as_string_opt::<i32>());
        texts.filter(|texts| row < arrow_array::Array::len(*texts)).map_or("", |texts| texts.value(row))
    }
}

/// The only batch of an Arrow file, where it lies.
fn batch(file: &Buffer) -> std::result::Result<RecordBatch, ArrowError> {
    let broken = |what: &str| ArrowError::ParseError(what.to_owned());
    let trailer = file.len().checked_sub(TRAILER).ok_or_else(|| broken("it is too short"))?;
    let length = read_footer_length(file[trailer..].try_into().map_err(|_| broken("it is too short"))?)?;
    let start = trailer.checked_sub(length).ok_or_else(|| broken("its footer is longer than itself"))?;
    let footer = root_as_footer(&file[start..trailer]).map_err(|error| broken(&error.to_string()))?;
    let schema = try_fb_to_schema(footer.schema().ok_or_else(|| broken("it has no schema"))?)?;
    let decoder = FileDecoder::new(Arc::new(schema), footer.version());
    let blocks = footer.recordBatches().ok_or_else(|| broken("it has no rows"))?;
    let block = if blocks.len() == 1 { blocks.get(0) } else { return Err(broken("it has several parts")) };
    let (offset, meta, body) = (block.offset(), block.metaDataLength(), block.bodyLength());
    let end = offset.checked_add(i64::from(meta)).and_then(|end| end.checked_add(body));
    if offset < 0 || meta < 0 || body < 0 || end.is_none_or(|end| end as usize > start) {
        return Err(broken("a part lies outside of it"));
    }
    let part = file.slice_with_length(offset as usize, meta as usize + body as usize);
    decoder.read_record_batch(block, &part)?.ok_or_else(|| broken("it has no rows"))
}
