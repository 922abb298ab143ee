interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** One labelled input. */
export default function Field({ label, value, onChange }: FieldProps) {
  return (
    <label>
      {label}
      <input value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
