CREATE TABLE "cash_counts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"day" date NOT NULL,
	"counted" integer NOT NULL,
	"expected" integer NOT NULL,
	"note" text,
	"counted_at" timestamp with time zone NOT NULL,
	"counted_by" uuid NOT NULL,
	CONSTRAINT "cash_counts_dojo_id_day_pk" PRIMARY KEY("dojo_id","day")
);
--> statement-breakpoint
ALTER TABLE "cash_counts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "receipt_counters" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"year" smallint NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_counters_dojo_id_year_pk" PRIMARY KEY("dojo_id","year")
);
--> statement-breakpoint
ALTER TABLE "receipt_counters" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "receipt_lines" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"receipt_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"ledger_line_id" uuid NOT NULL,
	"student_id" uuid,
	"student_name" text,
	"payer_id" uuid,
	"payer_name" text,
	"kind" text,
	"year" smallint,
	"month" smallint,
	"note" text,
	"amount" integer NOT NULL,
	"method" text,
	"received_on" date NOT NULL,
	"taken_back_on" date,
	CONSTRAINT "receipt_lines_dojo_id_receipt_id_position_pk" PRIMARY KEY("dojo_id","receipt_id","position"),
	CONSTRAINT "receipt_lines_of_ledger_line" UNIQUE("dojo_id","ledger_line_id")
);
--> statement-breakpoint
ALTER TABLE "receipt_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "receipts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"act_id" uuid NOT NULL,
	"year" smallint NOT NULL,
	"number" integer NOT NULL,
	"dojo_name" text NOT NULL,
	"total" integer NOT NULL,
	"issued_on" date NOT NULL,
	"issued_by" uuid NOT NULL,
	"issued_by_name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "receipts_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "receipts_number" UNIQUE("dojo_id","year","number")
);
--> statement-breakpoint
ALTER TABLE "receipts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "receipt_lines" ADD CONSTRAINT "receipt_lines_receipt" FOREIGN KEY ("dojo_id","receipt_id") REFERENCES "public"."receipts"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipt_lines" ADD CONSTRAINT "receipt_lines_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null ("student_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipt_lines" ADD CONSTRAINT "receipt_lines_payer" FOREIGN KEY ("dojo_id","payer_id") REFERENCES "public"."guardians"("dojo_id","id") ON DELETE set null ("payer_id") ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receipt_lines_of_student" ON "receipt_lines" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "receipt_lines_of_payer" ON "receipt_lines" USING btree ("dojo_id","payer_id");--> statement-breakpoint
CREATE INDEX "receipts_of_act" ON "receipts" USING btree ("dojo_id","act_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "cash_counts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "cash_counts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "receipt_counters" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "receipt_counters" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "receipt_lines" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "receipt_lines" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "receipts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "receipts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- Who has been deleted is not named any more: not on a receipt either, which keeps its number and its sum.
CREATE FUNCTION "empty_receipt_names"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.student_id IS NULL AND OLD.student_id IS NOT NULL THEN
    NEW.student_name := NULL;
    NEW.payer_id := NULL;
    NEW.payer_name := NULL;
    NEW.note := NULL;
  ELSIF NEW.payer_id IS NULL AND OLD.payer_id IS NOT NULL THEN
    NEW.payer_name := NULL;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "empty_receipt_names" BEFORE UPDATE OF "student_id", "payer_id" ON "receipt_lines"
  FOR EACH ROW EXECUTE FUNCTION empty_receipt_names();--> statement-breakpoint
-- A payment is taken back by a line that reverses it, and stands again when that line is reversed in turn. Its receipt notes it, because it
-- outlives the ledger's lines of a student who is deleted.
CREATE FUNCTION "note_taken_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added WHERE reverses IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  UPDATE receipt_lines SET taken_back_on = last.taken_back_on
    FROM (
      WITH RECURSIVE chain AS (
        SELECT dojo_id, reverses AS id, made_on, 1 AS depth FROM added WHERE reverses IS NOT NULL
        UNION ALL
        SELECT l.dojo_id, l.reverses, chain.made_on, chain.depth + 1
          FROM chain JOIN ledger_lines l ON l.dojo_id = chain.dojo_id AND l.id = chain.id WHERE l.reverses IS NOT NULL
      )
      SELECT DISTINCT ON (dojo_id, id) dojo_id, id, CASE WHEN depth % 2 = 1 THEN made_on END AS taken_back_on
        FROM chain ORDER BY dojo_id, id, depth DESC
    ) last
    WHERE receipt_lines.dojo_id = last.dojo_id AND receipt_lines.ledger_line_id = last.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "note_taken_back" AFTER INSERT ON "ledger_lines" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_taken_back();
