/** A message above the form. */
export const Banner = ({ text }) => {
  if (!text) {
    return null;
  }
  return <p role="alert">{shorten(text)}</p>;
};

function shorten(text) {
  return text.length > 80 ? `${text.slice(0, 79)}...` : text;
}
