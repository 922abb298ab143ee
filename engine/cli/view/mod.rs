//! `activate view`: a picture of an answer, as one page that loads nothing.
//!
//! From the activation to data ([`model`]), from data to markup ([`page`]); text becomes markup through [`html`] alone.

mod change;
mod collect;
mod command;
mod html;
mod layout;
mod model;
mod modules;
mod nodes;
mod packet;
mod packet_page;
mod page;
mod svg;

#[cfg(test)]
mod tests;

pub(super) use command::COMMAND;
